// A task queue: worker threads take tasks from a bounded queue, and each task leaves its result in a slot that whoever
// submitted it waits for. README.md in this folder says what `threadproof check` shows about it.
//
// -DBUG=1: statistics are updated without the lock.
// -DBUG=2: shutdown wakes one worker instead of all.
// -DBUG=3: a function that does not want the result of its task does not wait for it: its slot is gone when a worker fills it.
#include <cassert>
#include <condition_variable>
#include <cstddef>
#include <iostream>
#include <memory>
#include <mutex>
#include <thread>

#ifndef BUG
#define BUG 0
#endif

#ifndef WORKERS
#define WORKERS 2
#endif

#ifndef TASKS
#define TASKS 2
#endif

namespace tasks {

// ---------------------------------------------------------------------------------------------------------------------
// Results

enum class State { pending, done, failed };

/// Where a task leaves its result: a future and a promise in one.
class Slot {
public:
    Slot() = default;
    Slot(const Slot &) = delete;
    Slot &operator=(const Slot &) = delete;

    void fulfil(int value)
    {
        std::lock_guard<std::mutex> held(lock_);
        assert(state_ == State::pending);
        value_ = value;
        state_ = State::done;
        changed_.notify_all();
    }

    void fail()
    {
        std::lock_guard<std::mutex> held(lock_);
        assert(state_ == State::pending);
        state_ = State::failed;
        changed_.notify_all();
    }

    /// Waits until the task has ended. Whether it left a value.
    bool wait(int *value)
    {
        std::unique_lock<std::mutex> held(lock_);
        changed_.wait(held, [this] { return state_ != State::pending; });
        if (state_ == State::failed)
            return false;
        *value = value_;
        return true;
    }

    bool is_pending()
    {
        std::lock_guard<std::mutex> held(lock_);
        return state_ == State::pending;
    }

private:
    std::mutex lock_;
    std::condition_variable changed_;
    State state_ = State::pending;
    int value_ = 0;
};

// ---------------------------------------------------------------------------------------------------------------------
// Tasks

/// What a worker does. A task is owned by the queue until a worker takes it; the slot belongs to the one who submits it, and
/// has to be there until the task has ended.
class Task {
public:
    explicit Task(Slot &slot) : slot_(slot) {}

    Task(const Task &) = delete;
    Task &operator=(const Task &) = delete;

    virtual ~Task() = default;

    /// Runs the task and fulfils its slot.
    void run()
    {
        int value = compute();
        slot_.fulfil(value);
    }

    /// The queue is closed before the task could run.
    void cancel()
    {
        slot_.fail();
    }

protected:
    virtual int compute() = 0;

private:
    Slot &slot_;
};

/// The sum of the numbers from `first` to `last`.
class Sum : public Task {
public:
    Sum(Slot &slot, int first, int last) : Task(slot), first_(first), last_(last) {}

protected:
    int compute() override
    {
        int sum = 0;
        for (int i = first_; i <= last_; i++)
            sum += i;
        return sum;
    }

private:
    int first_, last_;
};

/// Twice a number.
class Twice : public Task {
public:
    Twice(Slot &slot, int number) : Task(slot), number_(number) {}

protected:
    int compute() override
    {
        return 2 * number_;
    }

private:
    int number_;
};

// ---------------------------------------------------------------------------------------------------------------------
// The queue

/// A bounded queue of tasks: a ring of owners.
class Queue {
public:
    static constexpr std::size_t capacity = 2;

    Queue() = default;
    Queue(const Queue &) = delete;
    Queue &operator=(const Queue &) = delete;

    ~Queue()
    {
        assert(count_ == 0);
    }

    /// Waits for room. Whether the task was taken: not once the queue is closed.
    bool push(std::unique_ptr<Task> task)
    {
        std::unique_lock<std::mutex> held(lock_);
        not_full_.wait(held, [this] { return count_ < capacity || closed_; });
        if (closed_)
            return false;
        ring_[(first_ + count_) % capacity] = std::move(task);
        count_++;
        not_empty_.notify_one();
        return true;
    }

    /// Waits for a task; null once the queue is closed and empty.
    std::unique_ptr<Task> pop()
    {
        std::unique_lock<std::mutex> held(lock_);
        not_empty_.wait(held, [this] { return count_ > 0 || closed_; });
        return take();
    }

    /// A task that is there, or null.
    std::unique_ptr<Task> try_pop()
    {
        std::lock_guard<std::mutex> held(lock_);
        return take();
    }

    /// No more tasks come: all who wait go on.
    void close()
    {
        std::lock_guard<std::mutex> held(lock_);
        closed_ = true;
        not_full_.notify_all();
#if BUG == 2
        not_empty_.notify_one();
#else
        not_empty_.notify_all();
#endif
    }

private:
    /// With the lock held.
    std::unique_ptr<Task> take()
    {
        if (count_ == 0)
            return nullptr;
        std::unique_ptr<Task> task = std::move(ring_[first_]);
        first_ = (first_ + 1) % capacity;
        count_--;
        not_full_.notify_one();
        return task;
    }

    std::mutex lock_;
    std::condition_variable not_empty_, not_full_;
    std::unique_ptr<Task> ring_[capacity];
    std::size_t first_ = 0, count_ = 0;
    bool closed_ = false;
};

// ---------------------------------------------------------------------------------------------------------------------
// Workers

/// How much was done, by all workers together.
class Statistics {
public:
    void count_one()
    {
#if BUG != 1
        std::lock_guard<std::mutex> held(lock_);
#endif
        done_++;
    }

    int done()
    {
        std::lock_guard<std::mutex> held(lock_);
        return done_;
    }

private:
    std::mutex lock_;
    int done_ = 0;
};

/// A fixed number of threads that run what is submitted.
class Pool {
public:
    Pool()
    {
        for (int i = 0; i < WORKERS; i++)
            workers_[i] = std::thread(&Pool::work, this);
    }

    ~Pool()
    {
        shut_down();
    }

    template <class Kind, class... Arguments>
    void submit(Slot &slot, Arguments... arguments)
    {
        if (!queue_.push(std::make_unique<Kind>(slot, arguments...)))
            slot.fail();
    }

    /// Finishes what was submitted, and ends the workers.
    void shut_down()
    {
        if (is_down_)
            return;
        is_down_ = true;
        queue_.close();
        for (int i = 0; i < WORKERS; i++)
            workers_[i].join();
        while (std::unique_ptr<Task> left = queue_.try_pop())
            left->cancel();
    }

    int done()
    {
        return statistics_.done();
    }

private:
    void work()
    {
        while (std::unique_ptr<Task> task = queue_.pop()) {
            task->run();
            statistics_.count_one();
        }
    }

    Queue queue_;
    Statistics statistics_;
    std::thread workers_[WORKERS];
    bool is_down_ = false;
};

} // namespace tasks

/// Submits a task and waits for its result.
static int sum_up_to(tasks::Pool &pool, int last)
{
    tasks::Slot slot;
    pool.submit<tasks::Sum>(slot, 1, last);
    int value = 0;
    bool is_done = slot.wait(&value);
    assert(is_done);
    return value;
}

/// Submits a task, and waits for its result unless it is not wanted.
static void twice(tasks::Pool &pool, int number, bool is_wanted)
{
    tasks::Slot slot;
    pool.submit<tasks::Twice>(slot, number);
#if BUG == 3
    if (!is_wanted)
        return;
#endif
    int value = 0;
    bool is_done = slot.wait(&value);
    assert(!is_wanted || (is_done && value == 2 * number));
}

int main()
{
    tasks::Pool pool;
    assert(sum_up_to(pool, 3) == 6);
#if TASKS > 1
    twice(pool, 21, false);
#endif
    pool.shut_down();
    assert(pool.done() == TASKS);
    std::cout << "done: " << pool.done() << std::endl;
    return 0;
}
