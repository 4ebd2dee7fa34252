Each round measures the contenders one after another, and its ratio divides two runs that had the same machine. The ratio in the table is the
median of those. Dividing the medians of the rates below gives another number, because these two medians may come from different rounds, and the
machine may have been busier in one of them. "Not conclusive" means: there was one round only, or the rounds differ by more than a tenth of the
median and lie on both sides of the goal (of 1 where there is no goal). "CPU a request" is the same ratio of the CPU time that the contender's
own process spends on a request, end to end on an order; less than 1 is less CPU.
