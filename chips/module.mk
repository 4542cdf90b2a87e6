# SPDX-License-Identifier: Apache-2.0
dist_chips_DATA += chips/310.json chips/310B.json chips/310P.json chips/610.json chips/615.json \
	chips/910A.json chips/910B.json chips/910_93.json chips/950.json
