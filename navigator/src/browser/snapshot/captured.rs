//! The answer of `DOMSnapshot.captureSnapshot`, as far as it is needed: columns of numbers, each
//! text once, each set of styles once. What an answer lacks is empty, so that another browser
//! breaks nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};

/// About what a node takes beside its texts and attributes, in bytes.
const OF_NODE: usize = 64;

/// A number of an answer: a position, a kind, or the number of a text; -1 is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(from = "Option<f64>")]
pub(super) struct SnapshotNumber(i32);

impl From<Option<f64>> for SnapshotNumber {
    fn from(number: Option<f64>) -> SnapshotNumber {
        SnapshotNumber(number.map_or(-1, |number| number as i32))
    }
}

impl Default for SnapshotNumber {
    fn default() -> SnapshotNumber {
        SnapshotNumber(-1)
    }
}

impl SnapshotNumber {
    /// Returns the position that it is; `None` if it is none.
    pub(super) fn position(self) -> Option<usize> {
        usize::try_from(self.0).ok()
    }

    pub(super) fn value(self) -> i64 {
        self.0.into()
    }
}

/// The texts of an answer, one behind the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct SnapshotTexts {
    all: String,
    /// The end of each.
    ends: Vec<u32>,
}

impl SnapshotTexts {
    /// Returns the text that a number means; none is empty.
    pub(super) fn at(&self, number: SnapshotNumber) -> &str {
        let range = number.position().and_then(|at| range_of(&self.ends, at));
        range.and_then(|range| self.all.get(range)).unwrap_or_default()
    }
}

/// Rows of numbers, one behind the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct NumberRows {
    all: Vec<SnapshotNumber>,
    /// The end of each.
    ends: Vec<u32>,
}

impl NumberRows {
    pub(super) fn row(&self, at: usize) -> &[SnapshotNumber] {
        range_of(&self.ends, at).and_then(|range| self.all.get(range)).unwrap_or_default()
    }

    fn add(&mut self, row: &[SnapshotNumber]) {
        self.all.extend_from_slice(row);
        self.ends.push(end(self.all.len()));
    }
}

/// Rows of numbers, many of which are equal: each of those that differ once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct SharedRows {
    different: NumberRows,
    /// Which one each row is.
    places: Vec<u32>,
}

impl SharedRows {
    pub(super) fn row(&self, at: usize) -> &[SnapshotNumber] {
        let place = self.places.get(at).map(|place| *place as usize);
        place.map_or(&[], |place| self.different.row(place))
    }
}

/// Left, top, width and height of a box.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(from = "Vec<Option<f64>>")]
pub(super) struct BoxBounds(pub(super) [f64; 4]);

impl From<Vec<Option<f64>>> for BoxBounds {
    fn from(sides: Vec<Option<f64>>) -> BoxBounds {
        BoxBounds([0, 1, 2, 3].map(|at| sides.get(at).copied().flatten().unwrap_or_default()))
    }
}

/// An answer of `DOMSnapshot.captureSnapshot`.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PageSnapshot {
    pub(super) documents: Vec<DocumentSnapshot>,
    #[serde(rename = "strings")]
    pub(super) texts: SnapshotTexts,
}

impl PageSnapshot {
    /// Returns about how much memory it takes, in bytes.
    pub(crate) fn n_bytes(&self) -> usize {
        let nodes = |document: &DocumentSnapshot| {
            let rows = document.nodes.attributes.all.len() * size_of::<SnapshotNumber>();
            document.nodes.node_name.len() * OF_NODE + rows
        };
        self.texts.all.len() + self.documents.iter().map(nodes).sum::<usize>()
    }
}

/// A document of an answer.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct DocumentSnapshot {
    #[serde(rename = "documentURL")]
    pub(super) address: SnapshotNumber,
    #[serde(rename = "baseURL")]
    pub(super) base: SnapshotNumber,
    pub(super) title: SnapshotNumber,
    pub(super) scroll_offset_x: f64,
    pub(super) scroll_offset_y: f64,
    pub(super) nodes: NodeTable,
    pub(super) layout: BoxTable,
}

/// The nodes of a document, a column for each fact.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct NodeTable {
    pub(super) parent_index: Vec<SnapshotNumber>,
    pub(super) node_type: Vec<SnapshotNumber>,
    pub(super) node_name: Vec<SnapshotNumber>,
    pub(super) node_value: Vec<SnapshotNumber>,
    pub(super) backend_node_id: Vec<SnapshotNumber>,
    /// Names and values of attributes, in turns.
    pub(super) attributes: NumberRows,
    pub(super) input_value: RareNumbers,
    pub(super) text_value: RareNumbers,
    pub(super) input_checked: RareNumbers,
    pub(super) option_selected: RareNumbers,
    pub(super) is_clickable: RareNumbers,
    pub(super) content_document_index: RareNumbers,
}

/// A column that few nodes have: their positions, and if there is one the number of each.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(super) struct RareNumbers {
    index: Vec<SnapshotNumber>,
    value: Vec<SnapshotNumber>,
}

impl RareNumbers {
    pub(super) fn positions(&self) -> impl Iterator<Item = usize> + '_ {
        self.index.iter().filter_map(|index| index.position())
    }

    /// Returns the nodes with their numbers.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, SnapshotNumber)> + '_ {
        self.positions().zip(self.value.iter().copied())
    }
}

/// What is drawn of a document, a column for each fact.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct BoxTable {
    /// The nodes of the boxes.
    pub(super) node_index: Vec<SnapshotNumber>,
    /// The values of the styles that were asked for.
    pub(super) styles: SharedRows,
    pub(super) bounds: Vec<BoxBounds>,
    pub(super) paint_orders: Vec<SnapshotNumber>,
}

/// Returns a number of a column.
pub(super) fn number_at(column: &[SnapshotNumber], at: usize) -> SnapshotNumber {
    column.get(at).copied().unwrap_or_default()
}

fn range_of(ends: &[u32], at: usize) -> Option<std::ops::Range<usize>> {
    let begin = at.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or_default();
    Some(begin as usize..*ends.get(at)? as usize)
}

/// No message is as long as this can count.
fn end(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

impl<'de> Deserialize<'de> for SnapshotTexts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<SnapshotTexts, D::Error> {
        collected(from, |texts: &mut SnapshotTexts, text: Option<String>| {
            texts.all.push_str(&text.unwrap_or_default());
            texts.ends.push(end(texts.all.len()));
        })
    }
}

impl<'de> Deserialize<'de> for NumberRows {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<NumberRows, D::Error> {
        collected(from, |rows: &mut NumberRows, row: Vec<SnapshotNumber>| rows.add(&row))
    }
}

impl<'de> Deserialize<'de> for SharedRows {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<SharedRows, D::Error> {
        type Known = BTreeMap<Vec<SnapshotNumber>, u32>;
        let (rows, _) =
            collected(from, |all: &mut (SharedRows, Known), row: Vec<SnapshotNumber>| {
                let (rows, known) = all;
                let place = known.get(&row).copied().unwrap_or_else(|| {
                    let place = end(known.len());
                    rows.different.add(&row);
                    known.insert(row, place);
                    place
                });
                rows.places.push(place);
            })?;
        Ok(rows)
    }
}

/// Reads a list, one by one into a place of another shape.
fn collected<'de, D, T, E>(from: D, add: impl FnMut(&mut T, E)) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default,
    E: Deserialize<'de>,
{
    from.deserialize_seq(ListVisitor { add, of: PhantomData })
}

struct ListVisitor<F, T, E> {
    add: F,
    of: PhantomData<(T, E)>,
}

impl<'de, F, T, E> Visitor<'de> for ListVisitor<F, T, E>
where
    F: FnMut(&mut T, E),
    T: Default,
    E: Deserialize<'de>,
{
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<T, A::Error> {
        let mut all = T::default();
        while let Some(one) = list.next_element()? {
            (self.add)(&mut all, one);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_and_a_set_of_styles_are_kept_once() {
        let snapshot: PageSnapshot = serde_json::from_str(
            r#"{"strings": ["é\n", "", null, "block"], "documents": [{"title": 3, "nodes": {
                "nodeName": [0, 3], "attributes": [[], [0, 3]],
                "inputValue": {"index": [1], "value": [0]}}, "layout": {
                "styles": [[3, 0], [], [3, 0]], "bounds": [[1, 2.5, 3, 4], [1, null]]}}]}"#,
        )
        .unwrap();
        let document = &snapshot.documents[0];
        let text = |number: i32| snapshot.texts.at(SnapshotNumber(number));
        assert_eq!([0, 1, 2, 3, 4, -1].map(text), ["é\n", "", "", "block", "", ""]);
        assert_eq!(snapshot.texts.at(document.title), "block");
        let (styles, nodes) = (&document.layout.styles, &document.nodes);
        assert_eq!(styles.different.ends.len(), 2);
        assert_eq!(styles.row(2), [SnapshotNumber(3), SnapshotNumber(0)]);
        assert_eq!((styles.row(1).len(), styles.row(3).len()), (0, 0));
        assert_eq!(nodes.attributes.row(1), [SnapshotNumber(0), SnapshotNumber(3)]);
        let values: Vec<_> = nodes.input_value.pairs().collect();
        assert_eq!(values, [(1, SnapshotNumber(0))]);
        let bounds: Vec<[f64; 4]> = document.layout.bounds.iter().map(|bounds| bounds.0).collect();
        assert_eq!(bounds, [[1.0, 2.5, 3.0, 4.0], [1.0, 0.0, 0.0, 0.0]]);
    }
}
