Each round measures the contenders one after another. A round's ratio divides two runs that had the same machine, and the table shows the median of
these ratios. The ratio of the two medians is another number: they may come from different rounds, and the machine may have been busier in one of them.
A ratio is "not conclusive" when there was one round only, or when its rounds differ by more than a tenth of the median, unless there are at least
five of them and all lie on the same side of the goal (of 1 where there is no goal). With five rounds or more, the highest and the lowest do not count
for the difference. "CPU a request" is the same ratio of the CPU time that the contender's own process spends on a request; end to end, on an order.
Below 1 is less CPU.
