//! The tests of a file: the ones that a view of it names.

use repo_map::Options;
use repo_map::tests_of::tests_of;
use test_support::repo;

use crate::diff::git;
use crate::plan;

#[test]
fn the_tests_of_a_file_go_by_their_names_their_commits_and_what_they_use() {
    let test =
        |name: &str, use_: &str| format!("=== tests/{name}.py\n{use_}\ndef test_it(): pass\n");
    let tests = [
        test("test_cart", "import shop"),
        test("test_checkout", "import shop"),
        test("test_orders", "from shop.cart import Cart"),
        test("test_stock", "import shop"),
        test("test_gift_cart", "import shop"),
    ];
    let shop = repo(&format!(
        "=== shop/cart.py\nclass Cart:\n    def add(self, line):\n        self.lines.append(line)\n\
         === shop/stock.py\ndef reserve(): pass\n{}",
        tests.concat()
    ));
    git(&shop, &["init", "-q"]);
    for path in ["shop/stock.py", "tests/test_stock.py", "tests/test_checkout.py", "shop/cart.py"] {
        git(&shop, &["add", path]);
        git(&shop, &["commit", "-q", "-m", "Start"]);
    }
    for n in 0..3 {
        shop.write("shop/cart.py", format!("class Cart:\n    n = {n}\n").as_bytes());
        let text = format!("import shop\ndef test_it_{n}(): pass\n");
        shop.write("tests/test_checkout.py", text.as_bytes());
        git(&shop, &["commit", "-q", "-a", "-m", "Carts"]);
    }
    let plan = plan("goal: where are lines added?");
    let judged = repo_map::open(shop.path(), &plan, &Options::default()).unwrap();
    let named = |path: &str| tests_of(&judged, path).join(" ");
    assert_eq!(
        named("shop/cart.py"),
        "tests/test_cart.py tests/test_checkout.py tests/test_gift_cart.py tests/test_orders.py"
    );
    assert_eq!(named("shop/stock.py"), "tests/test_stock.py");
    assert_eq!(named("shop/none.py"), "");
}
