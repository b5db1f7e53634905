//! Which words of a control warn: those that a person reads on it, however a page makes them.

use navigator::Effect;
use navigator::walk::session::{Move, WalkSession as _};

use super::asking::asking;

#[test]
fn what_is_drawn_on_a_button_warns_however_the_page_makes_it() {
    let Some(page) = asking(
        "<title>Drawn</title><style>span { display: inline-block }</style>
        <button aria-label=More>More: delete all</button>
        <form><input type=submit value=Delete aria-label=Go></form>
        <button><span>D</span><span>r</span><span>o</span><span>p</span></button>
        <button>Delete<span>3</span></button>",
    ) else {
        return;
    };
    for (label, what) in
        [("More", "More: delete all"), ("Go", "Delete"), ("Drop", "Drop"), ("Delete 3", "Delete 3")]
    {
        let step = Move::Click(page.number(label));
        let asked = Effect::Destroys { what: what.to_owned() };
        assert_eq!(page.session.effect(&step), asked, "{label}");
    }
}
