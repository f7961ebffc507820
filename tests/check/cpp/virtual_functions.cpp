// check:
#include <cassert>
#include <memory>
#include <thread>

struct Shape {
    virtual ~Shape() = default;
    virtual int area() const = 0;
};

struct Square : Shape {
    int side;
    explicit Square(int side) : side(side) {}
    int area() const override { return side * side; }
};

struct Rectangle : Shape {
    int width, height;
    Rectangle(int width, int height) : width(width), height(height) {}
    int area() const override { return width * height; }
};

int main()
{
    int square = 0;
    std::unique_ptr<Shape> shape = std::make_unique<Square>(3);
    std::thread worker([&] { square = shape->area(); });
    worker.join();
    shape = std::make_unique<Rectangle>(2, 5);
    assert(square == 9 && shape->area() == 10);
}
