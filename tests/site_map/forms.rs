//! Forms of pages: what a reader sees of them, however large and nested they are.

use site_map::address::page_address;
use site_map::page::PageField;
use site_map::{Response, WebPage};

fn page(html: &str) -> WebPage {
    let address = page_address("http://docs.example/a/page.html").unwrap();
    let headers = vec![("content-type".to_owned(), "text/html; charset=utf-8".to_owned())];
    WebPage::of(&Response { address, status: 200, headers, body: html.as_bytes().to_vec() })
}

fn text(html: &str) -> String {
    let blocks = page(html).blocks.into_iter().map(|block| block.text);
    blocks.collect::<Vec<String>>().join("\n")
}

#[test]
fn a_field_belongs_to_the_nearest_form_and_those_after_the_most_are_counted() {
    let nested = "<form><div></form>".repeat(100);
    let page = page(&format!("<body>{nested}{}", "<input name=a>".repeat(2_000)));
    let sizes: Vec<(usize, usize)> =
        page.forms.iter().map(|form| (form.fields.len(), form.n_more)).collect();
    assert_eq!(sizes, [(50, 1_950)]);
    let last = &page.blocks.last().unwrap().text;
    assert!(last.ends_with("`a: text`\nand 1950 more fields"), "{last}");
    let of_51 = text(&format!("<form>{}</form>", "<input name=a>".repeat(51)));
    assert!(of_51.ends_with("\nand 1 more field"), "{of_51}");
}

#[test]
fn a_choice_beyond_the_most_fields_is_one_and_the_options_of_a_known_one_are_counted() {
    let fields: String = (0..49).map(|n| format!("<input name=f{n}>")).collect();
    let options =
        |name: &str, n: usize| format!("<input type=radio name={name} value=v>").repeat(n);
    let (known, other) = (options("way", 20), options("size", 20));
    let page = page(&format!("<form>{fields}{known}{other}{known}<input name=last></form>"));
    let [form] = &page.forms[..] else { panic!("{:?}", page.forms) };
    assert_eq!((form.fields.len(), form.n_more), (50, 2));
    let [one_of] = &form.fields[49].constraints[..] else { panic!("{:?}", form.fields[49]) };
    assert!(one_of.ends_with("v, v, 28 more"), "{one_of}");
}

#[test]
fn a_page_names_the_fields_of_its_first_forms() {
    let page = page(&format!("<ul>{}</ul>", "<li><form><input name=a></form>".repeat(80)));
    assert_eq!((page.n_forms, page.forms.len()), (80, 50));
}

#[test]
fn a_long_label_is_read_once() {
    let inputs = "<input name=a>".repeat(20_000);
    let words = "word ".repeat(20_000);
    let page = page(&format!("<form><label>{words}{inputs}{words}</label></form>"));
    let field = &page.forms[0].fields[0];
    assert!(field.label.starts_with("word word") && field.label.ends_with('…'), "{field:?}");
}

#[test]
fn no_part_of_a_form_says_what_a_reader_does_not_see() {
    let unseen = ["hidden", "style='display:none'", "class=sr-only", "aria-hidden=true"];
    for unseen in unseen {
        for part in [
            format!("<label>Seen <i {unseen}>secret</i><input name=b></label>"),
            format!("<fieldset><legend {unseen}>secret</legend></fieldset>"),
            format!("<legend>Seen <i {unseen}>secret</i></legend>"),
            format!("<select name=c><option {unseen}>secret<option>seen</select>"),
            format!("<input name=secret {unseen}>"),
            format!("<p {unseen}><label>secret<input name=secret></label></p>"),
        ] {
            let text = text(&format!("<h1>T</h1><form><input id=a name=a>{part}</form>"));
            assert!(text.contains("## Form") && !text.contains("secret"), "{part}: {text}");
        }
    }
    // A label that only screen readers have is the name of its field.
    for (label, is_name) in [("class=sr-only", true), ("hidden", false)] {
        let html = format!("<form><label {label} for=a>Who</label><input id=a name=a></form>");
        assert_eq!(text(&html).contains("`a \"Who\": text`"), is_name, "{label}");
    }
    let text =
        text("<form><label for=a>Name</label><input id=a name=a><legend>Who</legend></form>");
    assert!(text.contains("## Form: Who\n") && text.contains("`a \"Name\": text`"), "{text}");
}

#[test]
fn a_form_that_goes_to_another_site_says_so() {
    let form = |action: &str| text(&format!("<form action='{action}'><input name=q></form>"));
    assert!(form("b?token=1").contains("`GET /a/b`"));
    assert!(form("http://docs.example/b").contains("`GET /b`"));
    let other = form("https://other.example:8443/b?token=1#x");
    assert!(other.contains("`GET https://other.example:8443/b`"), "{other}");
    let base = "<base href='http://other.example/'><form action=b><input name=q></form>";
    assert!(text(base).contains("`GET http://other.example/b`"), "{}", text(base));
}

#[test]
fn a_heading_and_a_form_are_data() {
    assert!(page("<h1>Order</h1><form><input name=who></form>").has_data());
    assert!(!page("<h1>Order</h1><form><button>Go</button></form>").has_data());
}

#[test]
fn a_style_that_only_looks_like_a_hidden_one_is_read() {
    let html = "<p style='opacity:0.9'>Pale.</p><p style='font-size:0.875rem'>Small.</p>\
                <p style='opacity: 0'>secret</p><p style='font-size: 0px'>secret</p>";
    assert_eq!(text(html), "Pale.\nSmall.");
}

#[test]
fn a_field_has_the_attributes_that_say_what_it_takes_whole_or_not_at_all() {
    let long = "a".repeat(501);
    let page = page(&format!(
        "<form><input name=a type=number min=1 aria-required=true onclick=x() pattern={long}>\
         <select name=b multiple><option>red<option>blue</select></form>"
    ));
    let [a, b] = &page.forms[0].fields[..] else { panic!("{:?}", page.forms) };
    let of = |field: &PageField| {
        let pairs = field.attributes.iter().map(|(name, value)| format!("{name}={value}"));
        pairs.collect::<Vec<String>>().join(" ")
    };
    assert_eq!((of(a), of(b)), ("min=1 required=".to_owned(), "multiple=".to_owned()));
    assert_eq!((&a.options, &b.options), (&Vec::new(), &vec!["red".to_owned(), "blue".to_owned()]));
}

#[test]
fn a_field_without_a_name_that_is_sent_nowhere_is_no_form() {
    let html = "<form class=searchform><input placeholder='...search manuals...'></form>
        <h1>Strings</h1><p>Text.</p>";
    assert_eq!(text(html), "# Strings\nText.");
    let sent = "<form action=search><input placeholder=Search></form>";
    assert_eq!(page(sent).forms.len(), 1);
    let named = "<form><input name=q></form>";
    assert_eq!(page(named).forms.len(), 1);
}
