// SPDX-License-Identifier: Apache-2.0
// An operator as the made-up dump a2_synthetic shows it; mapped.S has its debug information.
#include "kernel_operator.h"

class AddCustom {
public:
    __aicore__ inline void Compute()
    {
        Add(z, x, y, size);
    }

    __aicore__ inline void Init() { block = GetBlockIdx(); }

private:
    int block, size;
};

extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
    DataCopy(xLocal, xGlobal, size);
    queue.DeQue();
    AddCustom op;
    op.Init();
    op.Compute();
    DataCopy(zGlobal, zLocal, size);
}

/*
 * The reference's file has 30 lines.
 */
