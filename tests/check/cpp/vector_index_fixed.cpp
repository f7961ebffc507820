// check: --engine explore
#include <vector>

int main()
{
    std::vector<int> numbers{1, 2, 3};
    numbers.reserve(10);
    numbers.pop_back();
    return numbers[1];
}
