//! A manual: which addresses it has, and which page stands at each.

use crate::address::{folder, names};
use crate::content::LeafPlace;
use crate::frame::PageFrame;
use crate::tree::{LeafContent, ManualLeaf, ManualTree};
use crate::vehicle::{Vehicle, makes, vehicles};

pub(crate) const REPAIR: &str = "Repair and Diagnosis";
const LABOR: &str = "Parts and Labor";

/// How the tree of a vehicle is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TreeForm {
    /// All of it in one page, whose folders have no address.
    Tree,
    /// A page for each folder.
    Folders,
}

/// A manual that no one wrote. Any page can be made from its address.
#[derive(Debug, Clone)]
pub struct Manual {
    /// What all texts and values depend on.
    pub seed: u64,
    /// How the tree of a vehicle is drawn.
    pub form: TreeForm,
    /// What links to folders end with: nothing on a server, `index.html` on disk.
    pub folder_page: &'static str,
}

/// A page of a manual.
#[derive(Debug, Clone, PartialEq, Eq)]
enum ManualPlace {
    Home,
    About,
    Make(String),
    Year(String, u16),
    Vehicle(Vehicle),
    Labor(Vehicle),
    /// The tree, one of its folders, or a leaf.
    Node(Vehicle, Option<usize>),
}

impl Manual {
    /// Returns a manual as a server has it.
    pub fn new(seed: u64, form: TreeForm) -> Manual {
        Manual { seed, form, folder_page: "" }
    }

    /// Returns all vehicles, sorted.
    pub fn vehicles(&self) -> Vec<Vehicle> {
        vehicles(self.seed)
    }

    /// Returns the tree of a vehicle.
    pub fn tree(&self, vehicle: &Vehicle) -> ManualTree {
        ManualTree::of(self.seed, vehicle)
    }

    /// Returns the address of the page of a vehicle.
    pub fn vehicle_address(&self, vehicle: &Vehicle) -> String {
        format!("/{}", folder(&[vehicle.make, &vehicle.year.to_string(), &vehicle.model]))
    }

    /// Returns the address of a node of a tree. Where folders have none, it is that of the tree
    /// with a fragment.
    pub fn address(&self, vehicle: &Vehicle, tree: &ManualTree, at: usize) -> String {
        let node = &tree.nodes[at];
        let (above, path) = (self.tree_address(vehicle), folder(&node.path));
        match (self.form, node.leaf) {
            (TreeForm::Folders, _) => above + &path,
            (TreeForm::Tree, None) => format!("{above}#{path}"),
            (TreeForm::Tree, Some(_)) => above.replace("/0.html", &format!("/{at}.html")),
        }
    }

    /// Returns the address of the page with the folders at the top of a tree.
    pub fn tree_address(&self, vehicle: &Vehicle) -> String {
        let above = self.vehicle_address(vehicle);
        match self.form {
            TreeForm::Tree => above + "pages/0.html",
            TreeForm::Folders => above + &folder(&[REPAIR]),
        }
    }

    /// Returns the value that a leaf's page holds; `None` for a page that says nothing.
    pub fn value(&self, vehicle: &Vehicle, tree: &ManualTree, at: usize) -> Option<String> {
        let node = &tree.nodes[at];
        let leaf = node.leaf.filter(|leaf| leaf.content == LeafContent::Fact)?;
        Some(LeafPlace { seed: self.seed, vehicle, path: &node.path, leaf }.value())
    }

    /// Returns the page at a path, if there is one.
    pub fn page(&self, path: &str) -> Option<String> {
        let place = self.place(names(path)?)?;
        Some(self.rendered(&place))
    }

    /// Returns all pages of a vehicle with their addresses, that of the vehicle first.
    pub fn pages(&self, vehicle: &Vehicle) -> Vec<(String, String)> {
        let tree = self.tree(vehicle);
        let above = self.vehicle_address(vehicle);
        let labor = above.clone() + &folder(&[LABOR]);
        let mut pages = vec![
            (above, self.rendered(&ManualPlace::Vehicle(vehicle.clone()))),
            (labor, self.rendered(&ManualPlace::Labor(vehicle.clone()))),
            (self.tree_address(vehicle), self.node_page(vehicle, &tree, None)),
        ];
        let has_page =
            |at: &usize| self.form == TreeForm::Folders || tree.nodes[*at].leaf.is_some();
        let nodes = (0..tree.nodes.len()).filter(has_page);
        pages.extend(nodes.map(|at| {
            let page = self.node_page(vehicle, &tree, Some(at));
            (self.address(vehicle, &tree, at), page)
        }));
        pages
    }

    /// Finds the page of a path, given as names.
    fn place(&self, mut names: Vec<String>) -> Option<ManualPlace> {
        match names.last().map(String::as_str) {
            Some("" | "index.html") => drop(names.pop()),
            Some("about.html") if names.len() == 1 => return Some(ManualPlace::About),
            Some(page) if page.ends_with(".html") => return self.numbered(&names),
            _ => return None,
        }
        let vehicles = self.vehicles();
        let of = |one: &&Vehicle| {
            let year = one.year.to_string();
            let parts = [one.make, &year, &one.model];
            names.iter().take(3).zip(parts).all(|(name, part)| name == part)
        };
        let Some(make) = names.first() else { return Some(ManualPlace::Home) };
        let vehicle = vehicles.iter().find(of)?.clone();
        Some(match names.len() {
            1 => ManualPlace::Make(make.clone()),
            2 => ManualPlace::Year(make.clone(), vehicle.year),
            3 => ManualPlace::Vehicle(vehicle),
            4 if names[3] == LABOR => ManualPlace::Labor(vehicle),
            _ if self.form == TreeForm::Tree || names[3] != REPAIR => return None,
            4 => ManualPlace::Node(vehicle, None),
            _ => {
                let at = self.tree(&vehicle).find(&names[4..])?;
                ManualPlace::Node(vehicle, Some(at))
            }
        })
    }

    /// Finds a page that has a number for its name.
    fn numbered(&self, names: &[String]) -> Option<ManualPlace> {
        let [make, year, model, folder, page] = names else { return None };
        let is_it = |one: &Vehicle| {
            one.make == make && one.year.to_string() == *year && one.model == *model
        };
        let vehicle = self.vehicles().into_iter().find(is_it)?;
        let number = page.strip_suffix(".html")?.parse::<usize>().ok()?;
        let is_canonical = folder == "pages" && *page == format!("{number}.html");
        match number {
            _ if self.form == TreeForm::Folders || !is_canonical => None,
            0 => Some(ManualPlace::Node(vehicle, None)),
            _ => {
                let leaf = self.tree(&vehicle).nodes.get(number)?.leaf;
                leaf.map(|_| ManualPlace::Node(vehicle, Some(number)))
            }
        }
    }

    fn rendered(&self, place: &ManualPlace) -> String {
        match place {
            ManualPlace::Home => {
                let makes = makes(self.seed);
                let links =
                    makes.iter().map(|make| (make.to_string(), format!("/{}", folder(&[make]))));
                self.frame("/").list("Choose a make", links)
            }
            ManualPlace::About => self.frame("/about.html").text(
                "About",
                "Service manuals of many vehicles, free to read. Everything here was made up.",
            ),
            ManualPlace::Make(make) => {
                let mut years: Vec<u16> = self.of_make(make).map(|one| one.year).collect();
                years.dedup();
                let links = years.iter().map(|year| {
                    (year.to_string(), format!("/{}", folder(&[make, &year.to_string()])))
                });
                let at = format!("/{}", folder(&[make]));
                self.frame(&at).list(make, links)
            }
            ManualPlace::Year(make, year) => {
                let models = self.of_make(make).filter(|one| one.year == *year);
                let links = models.map(|one| (one.model.clone(), self.vehicle_address(&one)));
                let at = format!("/{}", folder(&[make, &year.to_string()]));
                self.frame(&at).crumbs([make]).list(&format!("{year} {make}"), links)
            }
            ManualPlace::Vehicle(vehicle) => {
                let at = self.vehicle_address(vehicle);
                let links = [
                    (REPAIR.to_owned(), self.tree_address(vehicle)),
                    (LABOR.to_owned(), at.clone() + &folder(&[LABOR])),
                    ("Download this manual".to_owned(), format!("{at}manual.zip")),
                ];
                let crumbs = [vehicle.make, &vehicle.year.to_string()];
                self.frame(&at).crumbs(crumbs).list(&vehicle.name(), links.into_iter())
            }
            ManualPlace::Labor(vehicle) => {
                let at = self.vehicle_address(vehicle) + &folder(&[LABOR]);
                self.below(vehicle, &at).labor(&vehicle.name())
            }
            ManualPlace::Node(vehicle, at) => self.node_page(vehicle, &self.tree(vehicle), *at),
        }
    }

    /// Returns the page of a tree, of one of its folders, or of a leaf.
    fn node_page(&self, vehicle: &Vehicle, tree: &ManualTree, at: Option<usize>) -> String {
        match at.and_then(|at| Some((at, tree.nodes[at].leaf?))) {
            Some((at, leaf)) => self.leaf_page(vehicle, tree, at, leaf),
            None if self.form == TreeForm::Tree => self.tree_page(vehicle, tree),
            None => self.folder_page(vehicle, tree, at),
        }
    }

    fn of_make(&self, make: &str) -> impl Iterator<Item = Vehicle> {
        self.vehicles().into_iter().filter(move |one| one.make == make)
    }

    fn tree_page(&self, vehicle: &Vehicle, tree: &ManualTree) -> String {
        let at = self.tree_address(vehicle);
        let title = format!("{} - {REPAIR}", vehicle.name());
        self.below(vehicle, &at).tree(&title, tree, |node| self.address(vehicle, tree, node))
    }

    fn folder_page(&self, vehicle: &Vehicle, tree: &ManualTree, at: Option<usize>) -> String {
        let address =
            at.map_or_else(|| self.tree_address(vehicle), |at| self.address(vehicle, tree, at));
        let title = at.map_or(REPAIR, |at| tree.nodes[at].label());
        let links = tree.children(at).into_iter().map(|child| {
            (tree.nodes[child].label().to_owned(), self.address(vehicle, tree, child))
        });
        let around = at.map(|at| self.around(vehicle, tree, at)).unwrap_or_default();
        self.below(vehicle, &address).above(around).list(title, links)
    }

    fn leaf_page(
        &self,
        vehicle: &Vehicle,
        tree: &ManualTree,
        at: usize,
        leaf: ManualLeaf,
    ) -> String {
        let node = &tree.nodes[at];
        let address = self.address(vehicle, tree, at);
        let place = LeafPlace { seed: self.seed, vehicle, path: &node.path, leaf };
        let title = format!("{}: {}", place.component(), node.label());
        let frame = self.below(vehicle, &address).above(self.around(vehicle, tree, at));
        match leaf.content {
            LeafContent::Fact => frame.text(&title, &place.html()),
            LeafContent::Empty => frame.text(&title, ""),
            LeafContent::Images => frame.text(&title, &place.images()),
            LeafContent::Reference(other) => {
                let path = &tree.nodes[other].path;
                let name = path[path.len().saturating_sub(2)..].join(": ");
                frame.reference(&title, &name, &self.address(vehicle, tree, other))
            }
        }
    }

    /// Returns the pages above a node, with their addresses.
    fn around(&self, vehicle: &Vehicle, tree: &ManualTree, at: usize) -> Vec<(String, String)> {
        let path = &tree.nodes[at].path;
        let folders = (1..path.len()).filter_map(|n| {
            let folder = tree.nodes[..at].iter().rposition(|node| node.path == path[..n])?;
            Some((path[n - 1].clone(), self.address(vehicle, tree, folder)))
        });
        [(REPAIR.to_owned(), self.tree_address(vehicle))].into_iter().chain(folders).collect()
    }

    fn frame(&self, address: &str) -> PageFrame {
        PageFrame::new(address, self.folder_page)
    }

    /// Returns the frame of a page below a vehicle.
    fn below(&self, vehicle: &Vehicle, address: &str) -> PageFrame {
        self.frame(address).crumbs([vehicle.make, &vehicle.year.to_string(), &vehicle.model])
    }
}
