// SPDX-License-Identifier: Apache-2.0
// Peer of bench_kineto, which compiles it: busy time of the kernels of a trace, read with simdjson.
//   busy_simdjson dom|ondemand TRACE
#include <simdjson.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

using Intervals = std::vector<std::pair<double, double>>;

static bool is_work(std::string_view category)
{
    return category == "kernel" || category == "gpu_memcpy" || category == "gpu_memset";
}

static Intervals read_dom(const char *path)
{
    simdjson::dom::parser parser;
    simdjson::dom::element document = parser.load(path);
    Intervals work;

    for (simdjson::dom::element event : document["traceEvents"].get_array()) {
        std::string_view category;

        if (event["cat"].get(category) == simdjson::SUCCESS && is_work(category)) {
            const double start = event["ts"];
            const double duration = event["dur"];

            work.emplace_back(start, start + duration);
        }
    }
    return work;
}

static Intervals read_on_demand(const char *path)
{
    simdjson::ondemand::parser parser;
    simdjson::padded_string text = simdjson::padded_string::load(path);
    auto document = parser.iterate(text);
    Intervals work;

    for (auto event : document["traceEvents"].get_array()) {
        std::string_view category;
        double start = 0;
        double duration = 0;

        for (auto member : event.get_object()) {
            const std::string_view key = member.unescaped_key();

            if (key == "cat") {
                category = member.value().get_string();
            } else if (key == "ts") {
                start = member.value().get_double();
            } else if (key == "dur") {
                duration = member.value().get_double();
            }
        }
        if (is_work(category)) {
            work.emplace_back(start, start + duration);
        }
    }
    return work;
}

static double busy_time(Intervals work)
{
    double sum = 0;
    double end = 0;

    std::sort(work.begin(), work.end());
    for (const auto &one : work) {
        sum += std::max(one.second - std::max(one.first, end), 0.0);
        end = std::max(end, one.second);
    }
    return sum;
}

int main(int count, char **arguments)
{
    if (count != 3) {
        return 2;
    }
    const bool is_dom = std::strcmp(arguments[1], "dom") == 0;

    std::printf("%.3f\n",
                busy_time(is_dom ? read_dom(arguments[2]) : read_on_demand(arguments[2])));
}
