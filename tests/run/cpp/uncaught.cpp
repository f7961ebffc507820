// run: --runs 1
#include <stdexcept>
#include <vector>

int main()
{
    std::vector<int> numbers{1, 2, 3};
    return numbers.at(3); //~ error[unsupported]
}
