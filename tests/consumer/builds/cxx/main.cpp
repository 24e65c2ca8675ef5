#include <iostream>
#include <numeric>
#include <vector>

#include "qkv.h"

int main()
{
    std::vector<float> data(SPLIT_QKV_DATA_ELEMENTS), q(SPLIT_QKV_Q_ELEMENTS), k(SPLIT_QKV_K_ELEMENTS),
        v(SPLIT_QKV_V_ELEMENTS);
    void *const outputs[] = {q.data(), k.data(), v.data()};
    std::iota(data.begin(), data.end(), 0.0F);
    if (splitgen_run(&split_qkv_kernel, data.data(), outputs) != SPLITGEN_OK) {
        return 1;
    }
    std::cout << "q has " << q.size() << " elements, k begins with " << k[0] << '\n';
    return 0;
}
