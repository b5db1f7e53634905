//! A screen of the browser without the values of secrets.

use super::control::{ControlOption, PageControl};
use super::facts::{LiveForm, ScreenFacts};
use crate::browser::secrets::store::SecretStore;

/// What a mark begins and ends with.
const MARK: (char, char) = ('⟦', '⟧');
/// A quote in a mark, as HTML.
const QUOTE: &str = "&quot;";

/// Masks the text of a page. Its tags, and the words of marks that are ours, stay.
pub(super) fn masked_html(html: &str, secrets: &SecretStore) -> String {
    let mut masked = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find(['<', MARK.0]) {
        let (text, after) = rest.split_at(at);
        masked.push_str(&secrets.masked(text));
        let (end, quote) = if after.starts_with('<') { ('>', "\"") } else { (MARK.1, QUOTE) };
        let length = after.find(end).map_or(after.len(), |at| at + end.len_utf8());
        let (piece, after) = after.split_at(length);
        masked.push_str(&masked_values(piece, quote, secrets));
        rest = after;
    }
    masked + &secrets.masked(rest)
}

/// Masks what stands between the first and the last quote: values of attributes, names, options.
fn masked_values(piece: &str, quote: &str, secrets: &SecretStore) -> String {
    let inside = piece.find(quote).zip(piece.rfind(quote));
    let Some((first, last)) = inside.filter(|(first, last)| first < last) else {
        return piece.to_owned();
    };
    let values = first + quote.len()..last;
    format!("{}{}{}", &piece[..values.start], secrets.masked(&piece[values]), &piece[last..])
}

/// Masks what is known beside the text.
pub(super) fn masked_facts(facts: ScreenFacts, secrets: &SecretStore) -> ScreenFacts {
    let text = |text: String| secrets.masked(&text).into_owned();
    let texts = |texts: Vec<String>| texts.into_iter().map(text).collect();
    ScreenFacts {
        address: secrets.masked_address(&facts.address),
        trail: facts.trail.iter().map(|address| secrets.masked_address(address)).collect(),
        controls: facts.controls.into_iter().map(|one| masked_control(one, secrets)).collect(),
        forms: facts
            .forms
            .into_iter()
            .map(|one| LiveForm { name: text(one.name), ..one })
            .collect(),
        dialogs: texts(facts.dialogs),
        notes: texts(facts.notes),
        tabs: texts(facts.tabs),
        n_hidden: facts.n_hidden,
        n_hidden_controls: facts.n_hidden_controls,
        goes_on_below: facts.goes_on_below,
        focused: facts.focused,
        selected: text(facts.selected),
        has_asked: facts.has_asked,
    }
}

fn masked_control(control: PageControl, secrets: &SecretStore) -> PageControl {
    let text = |text: String| secrets.masked(&text).into_owned();
    let option = |option: ControlOption| ControlOption { name: text(option.name), ..option };
    PageControl {
        name: text(control.name),
        title: control.title.map(text),
        drawn_text: control.drawn_text.map(text),
        asks_for: control.asks_for.map(|address| secrets.masked_address(&address)),
        value: control.value.map(text),
        options: control.options.into_iter().map(option).collect(),
        attributes: control.attributes.into_iter().map(|(of, one)| (of, text(one))).collect(),
        target: control.target.map(text),
        under: control.under.map(text),
        beside: control.beside.map(text),
        ..control
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_values_are_masked_and_what_is_ours_stays() {
        let store = SecretStore::default();
        let home = ["https://a.example".parse().unwrap()];
        store.add("pw", "button\"1", &home).unwrap();
        store.add("word", "field", &home).unwrap();
        let html = "<p>Your <b>but</b>ton&quot;1 button&quot;1 \
            <a href=\"/x?q=button%221\">field</a> \
            ⟦5 field &quot;A field&quot; = &quot;button&quot;1&quot;, field⟧</p><fieldset>";
        assert_eq!(
            masked_html(html, &store),
            "<p>Your <b>but</b>ton&quot;1 {{secret:pw}} <a href=\"/x?q={{secret:pw}}\">\
             {{secret:word}}</a> ⟦5 field &quot;A {{secret:word}}&quot; = &quot;{{secret:pw}}\
             &quot;, field⟧</p><fieldset>"
        );
    }
}
