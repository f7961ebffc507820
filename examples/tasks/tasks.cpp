// A task queue: worker threads take tasks from a bounded queue, and each task leaves its result in a slot that whoever
// submitted it waits for. README.md in this folder says what `threadproof check` shows about it.
//
// -DBUG=1: statistics are updated without the lock.
// -DBUG=2: shutdown wakes one worker instead of all.
// -DBUG=3: whoever gives up on a result takes the slot away from the worker that is still to fill it.
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

/// Where a task leaves its result. The one who waits and the worker share it.
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

/// One end of a slot: what `submit` returns.
class Future {
public:
    explicit Future(std::shared_ptr<Slot> slot) : slot_(std::move(slot)) {}

    Future(Future &&other) noexcept : slot_(std::move(other.slot_)) {}

    Future &operator=(Future &&other) noexcept
    {
        slot_ = std::move(other.slot_);
        return *this;
    }

    bool get(int *value)
    {
        return slot_->wait(value);
    }

    bool is_pending()
    {
        return slot_->is_pending();
    }

private:
    std::shared_ptr<Slot> slot_;
};

// ---------------------------------------------------------------------------------------------------------------------
// Tasks

/// What a worker does. A task is owned by the queue until a worker takes it.
class Task {
public:
    explicit Task(std::shared_ptr<Slot> slot) : slot_(slot.get()), keeps_(std::move(slot))
    {
#if BUG == 3
        // The task only knows where the slot is, and does not own it.
        keeps_.reset();
#endif
    }

    virtual ~Task() = default;

    /// Runs the task and fulfils its slot.
    void run()
    {
        int value = compute();
        slot_->fulfil(value);
    }

    /// The queue is closed before the task could run.
    void cancel()
    {
        slot_->fail();
    }

protected:
    virtual int compute() = 0;

private:
    Slot *slot_;
    std::shared_ptr<Slot> keeps_;
};

/// The sum of the numbers from `first` to `last`.
class Sum : public Task {
public:
    Sum(std::shared_ptr<Slot> slot, int first, int last) : Task(std::move(slot)), first_(first), last_(last) {}

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
    Twice(std::shared_ptr<Slot> slot, int number) : Task(std::move(slot)), number_(number) {}

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
        for (std::thread &worker : workers_)
            worker = std::thread(&Pool::work, this);
    }

    ~Pool()
    {
        shut_down();
    }

    template <class Kind, class... Arguments>
    Future submit(Arguments... arguments)
    {
        auto slot = std::make_shared<Slot>();
        Future future(slot);
        auto task = std::make_unique<Kind>(slot, arguments...);
        if (!queue_.push(std::move(task)))
            slot->fail();
        return future;
    }

    /// Finishes what was submitted, and ends the workers.
    void shut_down()
    {
        if (is_down_)
            return;
        is_down_ = true;
        queue_.close();
        for (std::thread &worker : workers_)
            worker.join();
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

int main()
{
    tasks::Pool pool;
    int results = 0;
    {
        tasks::Future sum = pool.submit<tasks::Sum>(1, 3);
#if TASKS > 1
        // Somebody submits a task, and does not care about its result.
        pool.submit<tasks::Twice>(21);
#endif
        int value = 0;
        if (sum.get(&value)) {
            assert(value == 6);
            results++;
        }
    }
    pool.shut_down();
    assert(results == 1);
    assert(pool.done() == TASKS);
    std::cout << "done: " << pool.done() << std::endl;
    return 0;
}
