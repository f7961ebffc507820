// check:
#include <cassert>
#include <thread>

struct Message {
    virtual ~Message() = default;
};

struct Text : Message {
    int length = 3;
};

struct Number : Message {
    int value = 7;
};

struct Positive : Number {};

static int seen;

static void receive(Message *message)
{
    if (auto *text = dynamic_cast<Text *>(message))
        seen = text->length;
    else if (auto *number = dynamic_cast<Number *>(message))
        seen = number->value;
}

int main()
{
    Positive seven;
    Text three;
    std::thread worker(receive, &seven);
    worker.join();
    assert(seen == 7);
    receive(&three);
    assert(seen == 3);
    assert(dynamic_cast<Positive *>(static_cast<Message *>(&three)) == nullptr);
}
