//! The tree of files as columns: names once per folder, numbers as lists. If the tree is too large,
//! the least important files are counted in their folders instead of named.

use serde::Serialize;

use super::json_budget::json;
use crate::fit::folders::Folders;
use crate::level::Level;

/// The data of one file on the page.
pub(crate) struct Leaf<'a> {
    pub(crate) path: &'a str,
    pub(crate) level: Level,
    /// The size of the whole file in tokens, counted or estimated.
    pub(crate) size: u32,
    pub(crate) is_exact: bool,
    /// Data that the map does not show.
    pub(crate) is_data: bool,
    /// The size of its block in the map, in tokens.
    pub(crate) tokens: u32,
    /// The position of its rule among all rules of the page.
    pub(crate) rule: Option<usize>,
    pub(crate) mark: Option<&'static str>,
    /// The order in which files are named if not all fit: greatest first.
    pub(crate) priority: (bool, u32, u32),
}

/// The columns, and the place of each file in them.
pub(crate) struct Columns {
    pub(crate) json: String,
    /// Position in the tree → position in the columns; `None` for files that are only counted.
    pub(crate) places: Vec<Option<u32>>,
}

#[derive(Serialize, Default)]
struct PageDocument {
    /// Names of folders; the root's is empty. A folder comes before those in it.
    folder_names: String,
    folder_parents: Vec<u32>,
    /// The number of named files in each folder.
    folder_files: Vec<u32>,
    /// The number of unnamed files below each named folder, counted in the nearest one, and their
    /// size in tokens.
    folder_rest: Vec<u32>,
    folder_rest_tokens: Vec<u64>,
    /// Names of files, folder by folder.
    names: String,
    sizes: Vec<u32>,
    /// Levels, one digit per file.
    levels: String,
    /// Files with an estimated size.
    estimated: Vec<u32>,
    /// Data that the map does not show.
    data: Vec<u32>,
    /// The sizes in the map: file, tokens.
    tokens: Vec<(u32, u32)>,
    /// Rules in runs: the number of files, and the rule's position or -1.
    rules: Vec<(u32, i64)>,
    marks: Vec<(u32, &'static str)>,
}

/// The maximum bytes of a file besides its name: its size (10 digits), level, rule (20), mark (24),
/// estimate and data (8 each), tokens (22).
const FILE_BYTES: usize = 98;
/// The maximum bytes of a folder besides its name.
const FOLDER_BYTES: usize = 70;

/// Returns the columns of a tree in at most a number of bytes.
pub(crate) fn columns(folders: &Folders, leaves: &[Leaf<'_>], bytes: usize) -> Columns {
    let everything = whole(folders, leaves);
    let all = draw(folders, leaves, &everything);
    if all.json.len() <= bytes { all } else { draw(folders, leaves, &kept(folders, leaves, bytes)) }
}

fn whole(folders: &Folders, leaves: &[Leaf<'_>]) -> KeptNodes {
    KeptNodes { files: vec![true; leaves.len()], folders: vec![true; folders.list.len()] }
}

/// The named files and folders.
struct KeptNodes {
    files: Vec<bool>,
    folders: Vec<bool>,
}

/// Selects the most important files, with the folders they need, within a number of bytes.
fn kept(folders: &Folders, leaves: &[Leaf<'_>], bytes: usize) -> KeptNodes {
    let mut kept =
        KeptNodes { files: vec![false; leaves.len()], folders: vec![false; folders.list.len()] };
    kept.folders[0] = true;
    let parents = parents(folders);
    let homes = homes(folders, leaves.len());
    let mut order: Vec<usize> = (0..leaves.len()).collect();
    order.sort_by(|a, b| leaves[*b].priority.cmp(&leaves[*a].priority).then(a.cmp(b)));
    // The names of the fields, and the root.
    let mut used = 600;
    for file in order {
        let missing: Vec<usize> =
            std::iter::successors(Some(homes[file]), |folder| parents[*folder])
                .take_while(|folder| !kept.folders[*folder])
                .collect();
        let of_folders: usize = missing
            .iter()
            .map(|folder| FOLDER_BYTES + name_bytes(folder_name(folders, *folder)))
            .sum();
        let cost = FILE_BYTES + name_bytes(file_name(leaves[file].path)) + of_folders;
        if used + cost > bytes {
            continue;
        }
        used += cost;
        kept.files[file] = true;
        missing.into_iter().for_each(|folder| kept.folders[folder] = true);
    }
    kept
}

fn draw(folders: &Folders, leaves: &[Leaf<'_>], kept: &KeptNodes) -> Columns {
    let parents = parents(folders);
    let mut document = PageDocument::default();
    let mut places: Vec<Option<u32>> = vec![None; leaves.len()];
    // The place of each folder in the columns; an unnamed folder has its parent's place.
    let mut at: Vec<u32> = Vec::with_capacity(folders.list.len());
    let (mut folder_names, mut names): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for (position, folder) in folders.list.iter().enumerate() {
        let parent = parents[position].map_or(0, |parent| at[parent]);
        let here = if kept.folders[position] {
            document.folder_parents.push(parent);
            document.folder_files.push(0);
            document.folder_rest.push(0);
            document.folder_rest_tokens.push(0);
            folder_names.push(folder_name(folders, position));
            document.folder_parents.len() as u32 - 1
        } else {
            parent
        };
        at.push(here);
        for file in &folder.direct {
            let leaf = &leaves[*file];
            if !kept.files[*file] {
                document.folder_rest[here as usize] += 1;
                document.folder_rest_tokens[here as usize] += u64::from(leaf.size);
                continue;
            }
            document.folder_files[here as usize] += 1;
            let place = document.sizes.len() as u32;
            places[*file] = Some(place);
            names.push(file_name(leaf.path));
            document.add(leaf, place);
        }
    }
    document.folder_names = folder_names.join("/");
    document.names = names.join("/");
    Columns { json: json(&document), places }
}

impl PageDocument {
    fn add(&mut self, leaf: &Leaf<'_>, place: u32) {
        self.sizes.push(leaf.size);
        self.levels.push(digit(leaf.level));
        if !leaf.is_exact {
            self.estimated.push(place);
        }
        if leaf.is_data {
            self.data.push(place);
        }
        if leaf.tokens > 0 {
            self.tokens.push((place, leaf.tokens));
        }
        let rule = leaf.rule.map_or(-1, |rule| rule as i64);
        match self.rules.last_mut() {
            Some((n, last)) if *last == rule => *n += 1,
            _ => self.rules.push((1, rule)),
        }
        self.marks.extend(leaf.mark.map(|mark| (place, mark)));
    }
}

/// Returns a level as one digit, by its position among all levels.
pub(crate) fn digit(level: Level) -> char {
    char::from(b'0' + level as u8)
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn folder_name(folders: &Folders, folder: usize) -> &str {
    if folder == 0 { "" } else { file_name(folders.list[folder].path.trim_end_matches('/')) }
}

/// Returns the bytes of a name with its separators.
fn name_bytes(name: &str) -> usize {
    json(&name).len()
}

fn parents(folders: &Folders) -> Vec<Option<usize>> {
    let mut parents = vec![None; folders.list.len()];
    for (at, folder) in folders.list.iter().enumerate() {
        folder.folders.iter().for_each(|child| parents[*child] = Some(at));
    }
    parents
}

/// Returns the folder of each file.
fn homes(folders: &Folders, n_files: usize) -> Vec<usize> {
    let mut homes = vec![0; n_files];
    for (at, folder) in folders.list.iter().enumerate() {
        folder.direct.iter().for_each(|file| homes[*file] = at);
    }
    homes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::scan::Tree;

    fn drawn(paths: &[&str], bytes: usize) -> serde_json::Value {
        let tree = Tree::of_paths(paths);
        let leaf = |(at, path): (usize, &&'static str)| Leaf {
            path,
            level: Level::Fold,
            size: 10,
            is_exact: false,
            is_data: false,
            tokens: 0,
            rule: None,
            mark: None,
            priority: (false, 0, at as u32),
        };
        // The paths of these tests are literals.
        let paths: Vec<&'static str> =
            tree.files.iter().map(|file| &*Box::leak(file.path.clone().into_boxed_str())).collect();
        let leaves: Vec<Leaf<'_>> = paths.iter().enumerate().map(leaf).collect();
        let columns = columns(&Folders::of(&tree), &leaves, bytes);
        assert!(columns.json.len() <= bytes.max(600), "{}", columns.json.len());
        serde_json::from_str(&columns.json).unwrap()
    }

    #[test]
    fn names_stand_folder_by_folder() {
        let document = drawn(&["a/b/1", "a/b/2", "a/3", "z/4", "5"], 10_000);
        assert_eq!(document["folder_names"], "/a/b/z");
        assert_eq!(document["folder_parents"].to_string(), "[0,0,1,0]");
        assert_eq!(document["folder_files"].to_string(), "[1,1,2,1]");
        assert_eq!(document["names"], "5/3/1/2/4");
    }

    #[test]
    fn what_has_no_room_is_counted_in_the_nearest_folder_that_is_named() {
        let paths: Vec<String> = (100..300).map(|at| format!("a/{}/{at}", at / 4)).collect();
        let document = drawn(&paths.iter().map(String::as_str).collect::<Vec<_>>(), 2_000);
        let sum = |name: &str| {
            document[name]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(serde_json::Value::as_u64)
                .sum::<u64>()
        };
        assert_eq!(sum("folder_files") + sum("folder_rest"), 200);
        assert_eq!(sum("sizes") + sum("folder_rest_tokens"), 2_000);
        assert!(sum("folder_rest") > 0 && sum("folder_files") > 0);
    }
}
