//! What all pages of a manual have in common, written as old pages are: items that are not closed,
//! a notice on every page.

use crate::address::{folder, relative};
use crate::tree::ManualTree;

const BANNER: &str = "Manuals of the newest model years are being added every week! Look at the \
    reading room to see which vehicles are new before you order anything printed.";

/// A page without its content.
pub(crate) struct PageFrame {
    address: String,
    folder_page: &'static str,
    /// The pages above it, with their addresses.
    crumbs: Vec<(String, String)>,
}

impl PageFrame {
    pub(crate) fn new(address: &str, folder_page: &'static str) -> PageFrame {
        let crumbs = vec![("Home".to_owned(), "/".to_owned())];
        PageFrame { address: address.to_owned(), folder_page, crumbs }
    }

    /// Adds pages above it, each in the folder of the one before.
    pub(crate) fn crumbs<const N: usize>(mut self, names: [&str; N]) -> PageFrame {
        let crumbs =
            (1..=N).map(|n| (names[n - 1].to_owned(), format!("/{}", folder(&names[..n]))));
        self.crumbs.extend(crumbs);
        self
    }

    /// Adds pages above it.
    pub(crate) fn above(mut self, pages: Vec<(String, String)>) -> PageFrame {
        self.crumbs.extend(pages);
        self
    }

    /// Returns a page of links.
    pub(crate) fn list(
        &self,
        title: &str,
        links: impl Iterator<Item = (String, String)>,
    ) -> String {
        let items: String = links
            .map(|(name, to)| format!("<li><a href=\"{}\">{name}</a>\n", self.link(&to)))
            .collect();
        self.text(title, &format!("<ul>\n{items}</ul>\n"))
    }

    /// Returns a page that only names another.
    pub(crate) fn reference(&self, title: &str, name: &str, to: &str) -> String {
        self.text(title, &format!("See <a href=\"{}\">{name}</a>", self.link(to)))
    }

    /// Returns a page with the hours of some jobs.
    pub(crate) fn labor(&self, title: &str) -> String {
        let jobs = ["Oil and filter", "Brake pads, one axle", "Coolant", "Spark plugs", "Battery"];
        let rows: String = jobs
            .iter()
            .zip(["0.4", "1.1", "0.9", "0.8", "0.3"])
            .map(|(job, hours)| format!("<tr><td>{job}<td>{hours}<td>{hours}<td>B<td>\n"))
            .collect();
        let table = format!(
            "<table border=1><tr><th>Job<th>Standard Hours<th>Manufacturer Warranty Hours\
             <th>Skill Level<th>Notes\n{rows}</table>"
        );
        self.text(&format!("{title} - Labor Times"), &table)
    }

    /// Returns a page with a whole tree, whose folders are names without an address.
    pub(crate) fn tree(
        &self,
        title: &str,
        tree: &ManualTree,
        address: impl Fn(usize) -> String,
    ) -> String {
        let mut html = String::from(
            "<button id=expand-all>Expand All</button> \
             <button id=collapse-all>Collapse All</button>\n",
        );
        let mut depth = 0;
        for (at, node) in tree.nodes.iter().enumerate() {
            match node.path.len() > depth {
                true => html += "<ul>\n",
                false => html += &"</ul>\n".repeat(depth - node.path.len()),
            }
            depth = node.path.len();
            let (name, label) = (folder(&node.path), node.label());
            html += &match node.leaf {
                None => format!("<li class='li-folder'><a name='{name}'>{label}</a>"),
                Some(leaf) => format!(
                    "<li><a href=\"{}\" name='{name}'><img class='folder-icon' \
                     src=\"../icons/{}.svg\">{label}</a>\n",
                    self.link(&address(at)),
                    leaf.kind.icon()
                ),
            };
        }
        html += &"</ul>\n".repeat(depth);
        self.text(title, &html)
    }

    /// Returns a page with this content.
    pub(crate) fn text(&self, title: &str, content: &str) -> String {
        let crumbs: Vec<String> = self
            .crumbs
            .iter()
            .map(|(name, to)| {
                format!("<a class=\"breadcrumb-part\" href=\"{}\">{name}</a>", self.link(to))
            })
            .collect();
        format!(
            "<!doctype html>\n<html><head><meta charset=\"utf-8\"><title>{title}</title></head>\n\
             <body>\n<div class=\"header\"><div class=\"branding\"><a href=\"{}\">Open Shop \
             Manuals</a></div></div>\n<div class=\"breadcrumbs\">{}</div>\n<div class=\"main\">\n\
             <div class=\"banner\">{BANNER}</div>\n<h1>{title}</h1>\n{content}\n</div>\n\
             <div class=\"footer\"><a href=\"{}\">About</a></div>\n</body></html>\n",
            self.link("/"),
            crumbs.join(" &gt;&gt; "),
            self.link("/about.html"),
        )
    }

    fn link(&self, to: &str) -> String {
        let (path, fragment) = to.split_once('#').map_or((to, None), |(path, of)| (path, Some(of)));
        let page = if path.ends_with('/') { self.folder_page } else { "" };
        let path = relative(&self.address, &format!("{path}{page}"));
        fragment.map_or(path.clone(), |fragment| format!("{path}#{fragment}"))
    }
}
