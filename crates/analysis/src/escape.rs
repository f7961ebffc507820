//! Escape analysis: the objects that threads other than their creator can reach. These are global variables, arguments
//! of thread starts, objects whose addresses have leaked into numbers, and everything reachable from these.

use crate::callgraph::AbstractThreadId;
use crate::pointsto::{AbstractObject, ObjectId, PointsTo};
use tp_ir::Op;

/// Which objects have escaped from the thread that created them.
pub struct Escape {
    escaped: Vec<bool>,
}

impl Escape {
    pub fn new(points_to: &PointsTo<'_>) -> Escape {
        let (calls, objects) = (points_to.call_graph(), points_to.objects());
        let mut escaped = vec![false; objects.count()];
        let is_variable =
            |id: &ObjectId| matches!(objects.get(*id), AbstractObject::Global(_) | AbstractObject::Outside);
        let mut queue: Vec<ObjectId> =
            objects.ids().filter(is_variable).chain(points_to.leaked().iter().copied()).collect();
        for thread in calls.threads().filter(|t| *t != AbstractThreadId::FIRST) {
            for start in calls.starts(thread) {
                if let Op::ThreadStart { arg, .. } = points_to.inst(*start).op {
                    queue.extend(points_to.targets(start.context, arg).iter().map(|(object, _)| object));
                }
            }
        }
        while let Some(object) = queue.pop() {
            if !std::mem::replace(&mut escaped[object.index()], true) {
                let contents = points_to.memory(object).all();
                queue.extend(contents.flat_map(|(_, _, points)| points.iter().map(|(object, _)| object)));
            }
        }
        Escape { escaped }
    }

    /// Whether a thread other than its creator can reach an object.
    pub fn has_escaped(&self, object: ObjectId) -> bool {
        self.escaped[object.index()]
    }

    /// Whether threads can share an object: it has escaped, and can be written.
    pub fn is_shared(&self, points_to: &PointsTo<'_>, object: ObjectId) -> bool {
        match points_to.objects().get(object) {
            AbstractObject::Global(global) => !points_to.program().globals[global].constant,
            AbstractObject::Function(_) => false,
            AbstractObject::ThreadLocal(..) | AbstractObject::Made(_) | AbstractObject::Outside => {
                self.has_escaped(object)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{points_to, program, variable};

    #[test]
    fn objects_escape_by_variables_and_by_threads() {
        let program = program(
            "program LP64 entry &main
global @shared size 8 align 8 = zero
global @text constant size 2 align 1 = \"a\\00\"
func &work(%0: ptr) {
bb0:
  return
}
func &main() {
bb0:
  %0 = alloca i64 4 align 4
  %1 = alloca i64 8 align 8
  %2 = alloca i64 4 align 4
  %3 = alloca i64 4 align 4
  store ptr %0, @shared
  store ptr %2, %1
  %4 = thread_start &work, %1
  store i32 0, %3
  return
}
",
        );
        let points_to = points_to(&program);
        let escape = Escape::new(&points_to);
        let made: Vec<bool> = points_to
            .objects()
            .ids()
            .filter(|id| matches!(points_to.objects().get(*id), AbstractObject::Made(_)))
            .map(|id| escape.is_shared(&points_to, id))
            .collect();
        assert_eq!(made, [true, true, true, false], "in a global, an argument, inside an argument, local");
        assert!(escape.is_shared(&points_to, variable(&points_to, "shared")));
        assert!(!escape.is_shared(&points_to, variable(&points_to, "text")), "nobody writes a constant");
    }
}
