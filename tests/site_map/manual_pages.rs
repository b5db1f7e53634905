//! The generated manual as a site: its trees, breadcrumbs, notices, and pages that say nothing.

use manual::{LeafContent, Manual, ManualTree, TreeForm, Vehicle};
use repo_map::{FlightPlan, Options, RuleLayers, Sanitized};
use site_map::address::page_address;
use site_map::{Response, Scope, Site, SitePage, WebPage};

const ORIGIN: &str = "http://manual.example";
const FORMS: [TreeForm; 2] = [TreeForm::Tree, TreeForm::Folders];

fn response(address: &str, html: String) -> Response {
    let address = page_address(&format!("{ORIGIN}{address}")).unwrap();
    let headers = vec![("content-type".to_owned(), "text/html; charset=utf-8".to_owned())];
    Response { address, status: 200, headers, body: html.into_bytes() }
}

fn page(manual: &Manual, address: &str) -> WebPage {
    WebPage::of(&response(address, manual.page(address).unwrap()))
}

/// A manual, one of its vehicles, and the tree of that.
fn vehicle(form: TreeForm) -> (Manual, Vehicle, ManualTree) {
    let manual = Manual::new(1, form);
    let vehicle = manual.vehicles().swap_remove(50);
    let tree = manual.tree(&vehicle);
    (manual, vehicle, tree)
}

/// All pages of the vehicle.
fn site(manual: &Manual, vehicle: &Vehicle) -> Site {
    let pages = manual.pages(vehicle).into_iter();
    let start = page_address(&format!("{ORIGIN}{}", manual.vehicle_address(vehicle))).unwrap();
    Site::of(&Scope::of(&start, None), pages.map(|(address, html)| Ok(response(&address, html))))
        .unwrap()
}

#[test]
fn the_tree_of_a_vehicle_is_read_from_its_page() {
    let (manual, vehicle, tree) = vehicle(TreeForm::Tree);
    let page = page(&manual, &manual.tree_address(&vehicle));
    assert_eq!((page.trees.len(), page.generator, page.is_whole), (1, "plain", true));
    let read = &page.trees[0];
    assert_eq!(read.nodes.len(), tree.nodes.len());
    for (at, node) in read.nodes.iter().enumerate() {
        let expected = &tree.nodes[at];
        let path: Vec<&str> =
            read.path(at).into_iter().map(|at| read.nodes[at].label.as_str()).collect();
        assert_eq!(path, expected.path);
        assert!(read.find(&path).contains(&at));
        assert_eq!(node.anchor.as_deref(), Some(format!("{}/", path.join("/")).as_str()));
        let address = manual.address(&vehicle, &tree, at);
        let target = node.link.map(|link| page.links[link].target.to_string());
        assert_eq!(target, expected.leaf.map(|_| format!("{ORIGIN}{address}")));
    }
    let children = |folder: Option<usize>| (read.children(folder), tree.children(folder));
    for folder in [None, Some(0), Some(1)] {
        let (read, expected) = children(folder);
        assert_eq!(read, expected);
    }
}

#[test]
fn breadcrumbs_lead_to_the_folders_around_a_page() {
    for form in FORMS {
        let (manual, vehicle, tree) = vehicle(form);
        let (at, node, _) = tree.leaves().find(|(_, node, _)| node.path.len() == 6).unwrap();
        let page = page(&manual, &manual.address(&vehicle, &tree, at));
        let (last, folders) = node.path.split_last().unwrap();
        let year = vehicle.year.to_string();
        let above = ["Home", vehicle.make, &year, &vehicle.model, "Repair and Diagnosis"];
        let expected = above.into_iter().chain(folders.iter().map(String::as_str));
        assert_eq!(page.breadcrumb, expected.collect::<Vec<_>>());
        assert!(page.title.ends_with(last), "{}", page.title);

        let crumb = page.links.iter().find(|link| link.text == folders[4]).unwrap();
        let above =
            WebPage::of(&response(crumb.target.path(), manual.page(crumb.target.path()).unwrap()));
        match &crumb.fragment {
            Some(fragment) => {
                let read = &above.trees[0];
                assert_eq!(read.by_anchor(fragment), tree.find(folders));
            }
            None => assert_eq!(above.title, folders[4]),
        }
    }
}

#[test]
fn the_notice_of_all_pages_is_dropped_and_pages_without_a_value_are_said() {
    for form in FORMS {
        let (manual, vehicle, tree) = vehicle(form);
        let site = site(&manual, &vehicle);
        assert!(site.pages.iter().all(|page| !page.markdown.contains("Look at the reading room")));
        let n_pages = site.pages.len() + site.twins.len();
        assert!(site.n_repeated >= site.pages.len() && site.indexes.is_empty());
        assert_eq!(n_pages, manual.pages(&vehicle).len());
        let page_of = |address: &str| -> Option<&SitePage> {
            site.pages.iter().find(|page| page.address.as_str() == format!("{ORIGIN}{address}"))
        };
        let mut n_shown = 0;
        for (at, node, leaf) in tree.leaves() {
            // Pages that say the same are one page.
            let Some(page) = page_of(&manual.address(&vehicle, &tree, at)) else { continue };
            n_shown += 1;
            assert_eq!(page.has_data, leaf.content == LeafContent::Fact, "{page:?}");
            let folders = node.path[..node.path.len() - 1].join(" › ");
            assert!(page.markdown.lines().next().unwrap().ends_with(&folders), "{page:?}");
            assert!(leaf.content != LeafContent::Images || page.n_images > 0, "{page:?}");
            let value = manual.value(&vehicle, &tree, at);
            assert!(value.is_none_or(|value| page.markdown.contains(&value)), "{page:?}");
        }
        assert!(n_shown > 650, "{n_shown}");
        assert!(!page_of(&manual.tree_address(&vehicle)).unwrap().has_data);
    }
}

#[test]
fn a_goal_shows_the_folder_of_a_large_tree() {
    let (manual, vehicle, tree) = vehicle(TreeForm::Tree);
    let address = manual.tree_address(&vehicle);
    let html = manual.page(&address).unwrap();
    assert!(html.len() > 200_000);
    let start = page_address(&format!("{ORIGIN}{address}")).unwrap();
    let pages = [Ok(response(&address, html))];
    let site = Site::of(&Scope::of(&start, None), pages.into_iter()).unwrap();
    let judged = site.judged(&FlightPlan::default(), &Options::default()).unwrap();
    let is_of_it = |path: &[String]| path.contains(&"Thermostat".to_owned());
    let (_, node, _) = tree.leaves().find(|(_, node, _)| is_of_it(&node.path)).unwrap();
    let goal = Sanitized::text("adjustment of the thermostat");
    for tokens in [2_000, 400] {
        let judged = judged.for_goal(goal.as_str()).unwrap();
        let map = judged.map_within(RuleLayers::default(), tokens).unwrap();
        let text = map.text.as_str();
        let (_, below) = text.split_once("# Thermostat\n").unwrap();
        let leaf = below.trim_start().lines().next().unwrap();
        assert_eq!(leaf, format!("- {}", node.label()), "{text}");
    }
}
