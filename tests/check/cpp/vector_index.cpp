// check: --engine explore
// Memory behind the elements belongs to the vector, but not to the program.
#include <vector>

int main()
{
    std::vector<int> numbers{1, 2, 3};
    numbers.reserve(10);
    numbers.pop_back();
    return numbers[2]; //~ error[assert]
}
