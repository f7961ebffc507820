// run: --runs 1
#include <vector>

int main()
{
    std::vector<int> numbers{1, 2, 3};
    return numbers.at(2);
}
