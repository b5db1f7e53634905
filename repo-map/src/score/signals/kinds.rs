//! The kinds of signals for a file and for an item, their names in reports and their weights.

/// A signal for a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Signal {
    /// Words of the goal in the whole file.
    Words,
    /// Words of the goal in the file's best item.
    Items,
    /// Words of the goal's title in the file's three best items.
    Title,
    /// Pairs of words of the goal that follow each other in one item of the file.
    Pairs,
    /// Words of the goal that few other files contain; not of pages.
    Rare,
    /// Identifiers of the goal that the file defines.
    Definitions,
    /// Words of the goal in the file's path.
    Name,
    /// Phrases of the goal occur verbatim in the file.
    Phrase,
    /// A message in the goal's title stands verbatim in this file and in few others.
    Message,
    /// The goal quotes the file's path.
    Path,
    /// A stack trace in the goal passes through the file.
    Trace,
    /// Earlier commits with messages similar to the goal changed the file.
    History,
    /// Tests similar to the goal were changed together with the file.
    Tests,
    /// Other files of the folder have high scores.
    Folder,
    /// The user names the file with `--focus`.
    Focus,
    /// The file changed since the revision that the user names.
    Changed,
    /// The file depends on a changed file, or a changed file depends on it.
    Near,
    /// The best two sections of a page are near the goal in meaning, whatever their words. The page
    /// that the other signals put first has the largest value.
    Meaning,
    /// PageRank of the file in the graph of dependencies: almost without weight beside a goal.
    Rank,
    /// The file is the README, a manifest, an entry point or the start of a site; only without a
    /// goal.
    Landmark,
}

impl Signal {
    /// Every signal.
    pub const ALL: [Signal; 20] = [
        Signal::Words,
        Signal::Items,
        Signal::Title,
        Signal::Pairs,
        Signal::Rare,
        Signal::Definitions,
        Signal::Name,
        Signal::Phrase,
        Signal::Message,
        Signal::Path,
        Signal::Trace,
        Signal::History,
        Signal::Tests,
        Signal::Folder,
        Signal::Focus,
        Signal::Changed,
        Signal::Near,
        Signal::Meaning,
        Signal::Rank,
        Signal::Landmark,
    ];
    /// The signals of a file alone that need no outline.
    pub(crate) const AT_FIRST: [Signal; 9] = [
        Signal::Words,
        Signal::Rare,
        Signal::Definitions,
        Signal::Name,
        Signal::Phrase,
        Signal::Message,
        Signal::Path,
        Signal::Trace,
        Signal::History,
    ];
    /// The signals from a file's own text and path.
    pub(crate) const OF_TEXT: [Signal; 5] =
        [Signal::Words, Signal::Rare, Signal::Name, Signal::Phrase, Signal::Path];
    /// The signals that outlines add or improve.
    pub(crate) const IN_DEPTH: [Signal; 4] =
        [Signal::Items, Signal::Title, Signal::Pairs, Signal::Definitions];

    /// Returns the word used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Signal::Words => "words",
            Signal::Items => "items",
            Signal::Title => "title",
            Signal::Pairs => "pairs",
            Signal::Rare => "rare",
            Signal::Definitions => "definitions",
            Signal::Name => "name",
            Signal::Phrase => "phrase",
            Signal::Message => "message",
            Signal::Path => "path",
            Signal::Trace => "trace",
            Signal::History => "history",
            Signal::Tests => "tests",
            Signal::Folder => "folder",
            Signal::Focus => "focus",
            Signal::Changed => "changed",
            Signal::Near => "near",
            Signal::Meaning => "meaning",
            Signal::Rank => "rank",
            Signal::Landmark => "landmark",
        }
    }

    /// Returns the weight of the signal, between 0 and 1, in the sum. Set by hand on half of the
    /// development issues; learned weights and trees of learned questions did no better on
    /// repositories outside of the training set.
    pub fn weight(self) -> f64 {
        match self {
            // In a model of the ranking 0.8 to 2.4 times the best sum of the others do alike on two
            // manuals; the program was measured at this weight alone.
            Signal::Meaning => 3.0,
            Signal::Focus | Signal::Changed | Signal::Message => 2.0,
            Signal::Words => 1.0,
            Signal::Trace => 0.7,
            Signal::Path | Signal::Tests | Signal::Near => 0.5,
            Signal::Title | Signal::Items => 0.4,
            Signal::Definitions | Signal::Name | Signal::History => 0.3,
            Signal::Pairs | Signal::Rare | Signal::Phrase | Signal::Folder => 0.2,
            // Without a goal only their ratio counts; with one, rank only breaks ties between files
            // of equal evidence.
            Signal::Rank | Signal::Landmark => 0.01,
        }
    }
}

/// The signals of one item, each between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ItemSignal {
    /// The score of its file.
    File,
    /// Words of the goal in the item's own text.
    Words,
    /// Words of the goal's title in it.
    Title,
    /// The goal is its name.
    Named,
    /// Phrases of the goal stand in it verbatim.
    Phrase,
    /// A message in the goal's title stands in it, and in few files.
    Message,
    /// An item that matches the goal uses it.
    Used,
    /// A stack trace in the goal passes through it.
    Trace,
    /// Lines of it changed since the revision that the user names.
    Changed,
    /// Its length in lines: long functions are changed more often. Sections of pages have none.
    Length,
}

impl ItemSignal {
    pub(crate) const ALL: [ItemSignal; 10] = [
        ItemSignal::File,
        ItemSignal::Words,
        ItemSignal::Title,
        ItemSignal::Named,
        ItemSignal::Phrase,
        ItemSignal::Message,
        ItemSignal::Used,
        ItemSignal::Trace,
        ItemSignal::Changed,
        ItemSignal::Length,
    ];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            ItemSignal::File => "file",
            ItemSignal::Words => "words",
            ItemSignal::Title => "title",
            ItemSignal::Named => "named",
            ItemSignal::Phrase => "phrase",
            ItemSignal::Message => "message",
            ItemSignal::Used => "used",
            ItemSignal::Trace => "trace",
            ItemSignal::Changed => "changed",
            ItemSignal::Length => "length",
        }
    }

    /// Reports whether the signal is the goal's match with the item itself.
    pub(crate) fn is_of_goal(self) -> bool {
        !matches!(self, ItemSignal::File | ItemSignal::Length)
    }

    pub(crate) fn weight(self) -> f64 {
        match self {
            ItemSignal::Changed => 2.0,
            ItemSignal::File | ItemSignal::Words | ItemSignal::Named => 1.0,
            ItemSignal::Used | ItemSignal::Trace | ItemSignal::Message => 0.6,
            ItemSignal::Title | ItemSignal::Phrase | ItemSignal::Length => 0.2,
        }
    }
}
