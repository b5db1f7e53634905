//! The end of a walk: an answer that rests on what was taken, or why there is none.

use crate::run::stop::Stop;
use crate::run::text::one_line;
use crate::shared::Sanitized;
use crate::walk::action::WalkAction;
use crate::walk::session::WalkSession;
use crate::walk::state::WalkEnd;
use crate::walk::steps::{Acted, MAX_RESULT, Walk, end_of};

impl<S: WalkSession> Walk<'_, S> {
    /// Ends the walk, if its answer rests on extracts.
    pub(super) fn end(&mut self, action: WalkAction) -> Acted {
        let (answer, citations) = match action {
            WalkAction::Finish { answer, citations } => (answer, citations),
            WalkAction::GiveUp { reason } => {
                let refused = self.refused.take().map(Stop::EffectRefused);
                let given_up = || Stop::GivenUp(one_line(&reason, MAX_RESULT));
                return self.end_with(refused.unwrap_or_else(given_up));
            }
            _ => return Acted::Done,
        };
        // Whose last step was refused, and who read nothing, has not done it.
        if self.was_refused_last
            && self.state.extracts.is_empty()
            && let Some(effect) = self.refused.take()
        {
            return self.end_with(Stop::EffectRefused(effect));
        }
        // Who operates a page may be asked for a change, and not for words: the path tells it.
        let has_changed = self.session.screen().is_live && self.state.has_operated();
        if self.state.extracts.is_empty() && !has_changed {
            return Acted::Refused(
                "nothing was extracted yet: extract before you finish".to_owned(),
            );
        }
        // Without citations the answer itself must stand in an extract.
        let citations = match citations.is_empty() && !has_changed {
            true => vec![answer.clone()],
            false => citations,
        };
        let stands = |words: &&String| self.state.stands(words);
        if let Some(first) = citations.iter().find(|words| !stands(words)) {
            return Acted::Refused(format!(
                "`{}` stands in no extract: give `citations`, words copied exactly from extracts",
                one_line(first, 160)
            ));
        }
        let stop = Stop::Finished;
        let answer = Some(Sanitized::text(&answer).into_string());
        let citations =
            citations.iter().map(|words| Sanitized::text(words).into_string()).collect();
        let end = end_of(&stop, &self.state.extracts);
        self.state.ended = Some(WalkEnd { answer, citations, ..end });
        Acted::Ended(stop)
    }

    fn end_with(&mut self, stop: Stop) -> Acted {
        self.state.ended = Some(end_of(&stop, &self.state.extracts));
        Acted::Ended(stop)
    }
}
