//! The screens of a knowledge in layers: how many steps each is from the first one.

use std::collections::{BTreeMap, VecDeque};

use crate::knowledge::model::{Knowledge, KnownScreen};

/// The place of a screen in the graph.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedScreen<'k> {
    /// The screen.
    pub screen: &'k KnownScreen,
    /// The number of steps from the first screen; `None` if no way from there was seen.
    pub layer: Option<usize>,
    /// The screen that it was reached from first, by its place.
    pub parent: Option<usize>,
}

/// Returns the screens, those of a layer in the order in which they are reached, and those without
/// a way last. The first one is the one that opens with the shortest address.
pub fn placed_screens(knowledge: &Knowledge) -> Vec<PlacedScreen<'_>> {
    let screens = &knowledge.screens;
    let at: BTreeMap<&str, usize> =
        screens.iter().enumerate().map(|(at, one)| (one.screen_id.as_str(), at)).collect();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); screens.len()];
    for way in &knowledge.transitions {
        let ends = (at.get(way.from_screen_id.as_str()), at.get(way.to_screen_id.as_str()));
        if let (Some(from), Some(to)) = ends
            && way.is_repeatable()
        {
            next[*from].push(*to);
        }
    }
    let shortest = |screen: &KnownScreen| {
        let opens = screen.addresses.iter().filter(|one| one.opens && screen.is_used());
        opens.map(|one| one.address.len()).min()
    };
    let first = (0..screens.len())
        .filter_map(|at| Some((shortest(&screens[at])?, at)))
        .min()
        .map(|(_, at)| at);
    let mut placed: Vec<PlacedScreen<'_>> = Vec::new();
    let mut place_of: Vec<Option<usize>> = vec![None; screens.len()];
    let mut todo: VecDeque<(usize, usize, Option<usize>)> = VecDeque::new();
    todo.extend(first.map(|at| (at, 0, None)));
    while let Some((at, layer, parent)) = todo.pop_front() {
        if place_of[at].is_some() {
            continue;
        }
        let place = placed.len();
        place_of[at] = Some(place);
        placed.push(PlacedScreen { screen: &screens[at], layer: Some(layer), parent });
        todo.extend(next[at].iter().map(|to| (*to, layer + 1, Some(place))));
    }
    let rest = screens.iter().zip(&place_of).filter(|(_, place)| place.is_none());
    placed.extend(rest.map(|(screen, _)| PlacedScreen { screen, layer: None, parent: None }));
    placed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::model::{ContentType, KnownAddress, Transition};

    fn screen(id: &str, address: &str) -> KnownScreen {
        let known =
            KnownAddress { address: address.into(), title: "".into(), opens: true, record: None };
        KnownScreen {
            screen_id: id.to_owned(),
            addresses: vec![known],
            content_type: ContentType::WebUi,
            is_actionable: true,
            ..KnownScreen::default()
        }
    }

    fn way(from: &str, to: &str) -> Transition {
        Transition {
            from_screen_id: from.into(),
            to_screen_id: to.into(),
            action_id: Some("click".into()),
            value: None,
            label: None,
            prepared: Vec::new(),
            from_address: None,
            address: "".into(),
            times_seen: 1,
            last_seen: (0, 1),
            is_of_own_data: false,
            returns: false,
        }
    }

    #[test]
    fn a_screen_lies_as_many_layers_deep_as_it_takes_steps() {
        let knowledge = Knowledge {
            screens: vec![
                screen("alone", "http://a.example/alone"),
                screen("cart", "http://a.example/cart"),
                screen("home", "http://a.example/"),
                screen("pay", "http://a.example/pay"),
            ],
            transitions: vec![way("cart", "home"), way("cart", "pay"), way("home", "cart")],
            ..Knowledge::default()
        };
        let placed = placed_screens(&knowledge);
        let said: Vec<(&str, Option<usize>, Option<usize>)> = placed
            .iter()
            .map(|one| (one.screen.screen_id.as_str(), one.layer, one.parent))
            .collect();
        let expected = [
            ("home", Some(0), None),
            ("cart", Some(1), Some(0)),
            ("pay", Some(2), Some(1)),
            ("alone", None, None),
        ];
        assert_eq!(said, expected);
    }
}
