//! Work in parallel, results in order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The results for all items, in their order, computed `jobs` at a time. `done` gets each result as soon as it is
/// there. Once `work` returns `None`, no further item is begun.
pub fn each<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> Option<R> + Sync,
    done: impl FnMut(&R) + Send,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Mutex<(Vec<(usize, R)>, _)> = Mutex::new((Vec::new(), done));
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(i) else { break };
                    let Some(result) = work(item) else {
                        next.store(items.len(), Ordering::Relaxed);
                        break;
                    };
                    let mut results = results.lock().unwrap_or_else(|e| e.into_inner());
                    (results.1)(&result);
                    results.0.push((i, result));
                }
            });
        }
    });
    let (mut results, _) = results.into_inner().unwrap_or_else(|e| e.into_inner());
    results.sort_by_key(|(i, _)| *i);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::each;
    use std::time::Duration;

    #[test]
    fn results_are_in_order() {
        let items: Vec<u64> = (0..20).collect();
        let mut heard = 0;
        let work = |i: &u64| {
            std::thread::sleep(Duration::from_millis(20 - i));
            Some(i * 2)
        };
        let results = each(&items, 4, work, |_| heard += 1);
        assert_eq!(results, items.iter().map(|i| i * 2).collect::<Vec<_>>());
        assert_eq!(heard, 20);
    }

    #[test]
    fn the_rest_is_left_out_once_it_is_not_wanted() {
        let items: Vec<u64> = (0..100).collect();
        let results = each(&items, 1, |i| (*i < 7).then_some(*i), |_| {});
        assert_eq!(results, (0..7).collect::<Vec<_>>());
    }
}
