// What C++ programs do with classes, templates, containers, strings, lambdas and streams.
#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <iomanip>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <queue>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

struct Traced {
    const char *name;
    explicit Traced(const char *name) : name(name) { std::cout << "begin " << name << '\n'; }
    ~Traced() { std::cout << "end " << name << '\n'; }
};

static Traced first_global("first global");
static Traced second_global("second global");

static Traced &local_static()
{
    static Traced traced("local static");
    return traced;
}

class Shape {
public:
    virtual ~Shape() { std::cout << "a shape ends\n"; }
    virtual double area() const = 0;
    virtual std::string name() const { return "shape"; }
};

class Circle : public Shape {
    double radius_;

public:
    explicit Circle(double radius) : radius_(radius) {}
    double area() const override { return 3 * radius_ * radius_; }
    std::string name() const override { return "circle"; }
};

class Square : public Shape {
    double side_;

public:
    explicit Square(double side) : side_(side) {}
    double area() const override { return side_ * side_; }
};

template <class T>
class Stack {
    std::vector<T> items_;

public:
    void push(T item) { items_.push_back(std::move(item)); }

    T pop()
    {
        T item = std::move(items_.back());
        items_.pop_back();
        return item;
    }

    bool empty() const { return items_.empty(); }
};

static void classes()
{
    std::vector<std::unique_ptr<Shape>> shapes;
    shapes.push_back(std::make_unique<Circle>(2));
    shapes.emplace_back(new Square(1.5));
    for (const auto &shape : shapes)
        std::cout << shape->name() << ' ' << shape->area() << '\n';
    Stack<std::string> stack;
    for (const char *word : {"one", "two", "three"})
        stack.push(word);
    while (!stack.empty())
        std::cout << stack.pop() << ';';
    std::cout << std::endl;
}

static void strings()
{
    std::string text = "The quick brown fox";
    text += " jumps over the lazy dog";
    text.append(3, '!').insert(0, ">> ");
    std::cout << text << ' ' << text.size() << '\n';
    std::cout << text.substr(7, 5) << '|' << text.find("fox") << '|' << (text.find("cat") == std::string::npos) << '\n';
    text.replace(text.find("lazy"), 4, "very energetic");
    text.erase(0, 3);
    std::cout << text << '\n';
    std::string sum;
    for (int i = -3; i < 4; i++)
        sum += std::to_string(i * 1000003) + ",";
    std::cout << sum << std::to_string(2.5) << ' ' << std::to_string(18446744073709551615ull) << '\n';
    std::cout << std::stoi("42") + std::stol("-7", nullptr, 10) << ' ' << std::stoi("ff", nullptr, 16) << ' ' << std::stod("2.25") << '\n';
    std::string a = "apple", b = "banana";
    std::cout << (a < b) << (a == b) << a.compare(b) % 2 << (a + b) << "x" + b << '\n';
    std::swap(a, b);
    std::string moved = std::move(a);
    std::cout << moved << ' ' << b.front() << b.back() << '\n';
    text.append(text, 4, 5).append(text.c_str() + 2, 3);
    std::cout << text << '\n';
}

static void containers()
{
    std::vector<int> numbers(10);
    std::iota(numbers.begin(), numbers.end(), -4);
    for (int &n : numbers)
        n = n * 7 % 11;
    std::sort(numbers.begin(), numbers.end());
    for (int n : numbers)
        std::cout << n << ' ';
    numbers.erase(std::remove_if(numbers.begin(), numbers.end(), [](int n) { return n % 2 == 0; }), numbers.end());
    numbers.insert(numbers.begin() + 1, 99);
    std::cout << "| " << numbers.size() << ' ' << std::accumulate(numbers.begin(), numbers.end(), 0) << '\n';
    std::map<std::string, int> ages{{"Eve", 35}, {"Bob", 29}};
    ages["Ann"] = 41;
    ages["Bob"]++;
    for (const auto &entry : ages)
        std::cout << entry.first << '=' << entry.second << ' ';
    std::cout << ages.count("Zed") << '\n';
    std::set<int> set{5, 1, 3, 1};
    std::deque<int> deque;
    for (int n : set) {
        deque.push_back(n);
        deque.push_front(-n);
    }
    std::list<int> list(deque.begin(), deque.end());
    list.reverse();
    for (int n : list)
        std::cout << n << ',';
    std::priority_queue<int> queue(deque.begin(), deque.end());
    std::cout << queue.top() << '\n';
    std::array<int, 3> array{{3, 2, 1}};
    std::tuple<int, std::string> tuple{1, "two"};
    std::cout << *std::max_element(array.begin(), array.end()) << std::get<1>(tuple) << '\n';
}

static void functions()
{
    int calls = 0;
    std::function<int(int)> twice = [&calls](int n) {
        calls++;
        return 2 * n;
    };
    std::function<int(int)> factorial = [&](int n) { return n < 2 ? 1 : n * factorial(n - 1); };
    auto shared = std::make_shared<std::string>("shared");
    std::weak_ptr<std::string> weak = shared;
    std::cout << twice(twice(5)) << ' ' << factorial(10) << ' ' << calls << ' ' << shared.use_count() << ' ' << weak.expired();
    shared.reset();
    std::cout << weak.expired() << '\n';
    Traced *traced = new Traced("new");
    delete traced;
    Traced *many = new Traced[2]{Traced("array 0"), Traced("array 1")};
    delete[] many;
}

static void streams()
{
    std::cout << std::hex << 255 << ' ' << std::oct << 8 << std::dec << ' ' << std::setw(6) << 42 << '|' << std::left
              << std::setw(6) << "ab" << '|' << std::right << std::setfill('0') << std::setw(4) << 7 << std::setfill(' ') << '\n';
    std::cout << 1.0 / 3 << ' ' << std::fixed << std::setprecision(3) << 2.0 / 3 << ' ' << 1e9 << '\n';
    std::cout << true << std::boolalpha << true << false << std::noboolalpha << ' ' << 'c' << ' ' << -1L << ' ' << 3000000000u << '\n';
    std::ostringstream text;
    text << "[" << std::setw(3) << 5 << "]" << 2.5f;
    std::cout << text.str() << ' ' << text.str().size() << std::endl;
}

static void threads()
{
    std::mutex lock;
    std::condition_variable changed;
    std::queue<int> queue;
    bool closed = false;
    std::atomic<int> sum{0};
    std::vector<std::thread> workers;
    for (int i = 0; i < 3; i++)
        workers.emplace_back([&] {
            for (;;) {
                std::unique_lock<std::mutex> held(lock);
                changed.wait(held, [&] { return closed || !queue.empty(); });
                if (queue.empty())
                    return;
                sum += queue.front();
                queue.pop();
            }
        });
    for (int i = 1; i <= 20; i++) {
        std::lock_guard<std::mutex> held(lock);
        queue.push(i);
        changed.notify_one();
    }
    {
        std::scoped_lock held(lock);
        closed = true;
    }
    changed.notify_all();
    for (auto &worker : workers)
        worker.join();
    std::cout << sum << '\n';
}

int main()
{
    local_static();
    classes();
    strings();
    containers();
    functions();
    streams();
    threads();
    local_static();
    return 3;
}
