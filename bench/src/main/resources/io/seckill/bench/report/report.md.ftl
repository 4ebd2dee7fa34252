<#macro n value decimals=0>${value?string("#,##0" + ["", ".0", ".00", ".000"][decimals])}</#macro>
# Benchmark

${report.headline()}
<#if report.judged()?has_content>

${report.judged()?filter(r -> r.met)?size} of ${report.judged()?size} goals are reached.
</#if>
<#if report.breaches()?has_content>

**Invariants were breached:**
<#list report.breaches() as breach>
- ${breach}
</#list>
<#else>

Every run was checked against the books it left: no invariant was breached.
</#if>
<#if report.naiveOversold()??>

Baseline (b), which shows how one oversells, sold <@n report.naiveOversold()/> units more than there were.
</#if>
<#if report.failures()?has_content>

</#if>
<#list report.failures() as name, why>
- ${report.label(name)?cap_first} dropped out: ${why}
</#list>

<#list report.machine() as name, value>
- ${name}: ${value}
</#list>

## Ratios

| compared | of | to | ratio | CPU a request | goal | rounds | name in the JSON |
| --- | --- | --- | ---: | ---: | ---: | --- | --- |
<#list report.measuredRatios() as r>
| ${r.what()} | ${report.label(r.numerator)} | ${report.label(r.denominator)} | <#if r.median()??><@n r.median() 2/><#if !r.conclusive> (not conclusive)</#if><#else>none: ${r.reason}</#if> | <#if r.cpuMedian()??><@n r.cpuMedian() 2/></#if> | <#if r.hasGoal()>≥ ${r.goal}</#if> | <#list r.byRound as round><@n round 2/> </#list>| ${r.name} |
</#list>

<#include "notes.ftl">
<#list ["reserve_cpu_vs_before", "end_to_end_all_cpu_vs_before", "low_rate_cpu_vs_before"] as name>
<#if report.cpuRatios()[name]??>

${name}: <@n report.cpuRatios()[name] 2/>
</#if>
</#list>
<#if report.successP99()??>

From the 202 to SUCCESS at half the ceiling: p99 <@n report.successP99() 1/> ms (goal: at most 250 ms).
</#if>
<#list [["waiting_p99_vs_polling", 0.5], ["waiting_cpu_vs_unasked", 1.35]] as waiting>
<#if report.waitingRatios()[waiting[0]]??>

${waiting[0]}: <@n report.waitingRatios()[waiting[0]] 2/> (goal: at most ${waiting[1]})
</#if>
</#list>
<#list report.sections() as section>

## ${section.path.label()}, ${section.products} product${(section.products > 1)?string("s", "")}

${section.path.meaning()?cap_first}, a second.

| contender | per second | rounds | CPU µs a request | cores: contender, redis, kafka, mariadb, machine | further |
| --- | ---: | --- | ---: | --- | --- |
<#list section.rows as row>
| ${report.label(row.contender)} | <@n row.perSecond()/> | <#list row.rounds as round><@n round/> </#list>| <#if row.figures["cpu µs a request"]??><@n row.figures["cpu µs a request"] 1/></#if> | <#list ["contender", "redis", "kafka", "mariadb", "machine"] as part><#if row.figures["cores " + part]??><@n row.figures["cores " + part] 2/> </#if></#list>| <#list ["accepted/s", "backlog at the end", "rss MiB", "redis bytes a unit", "not accepted"] as figure><#if row.figures[figure]??>${figure} <@n row.figures[figure]/>; </#if></#list>|
</#list>
<#if section.charts?has_content>

| contender | milliseconds | p50 | p90 | p99 | p99.9 | max |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
<#list section.rows as row>
<#list {"answer": row.latency, "202 to SUCCESS": row.untilSuccess} as what, of>
<#if of?has_content>
| ${report.label(row.contender)} | ${what} |<#list ["p50", "p90", "p99", "p99.9", "max"] as p> <@n of[p] 1/> |</#list>
</#if>
</#list>
</#list>
</#if>
</#list>

## Footprint, warm

| contender | live heap MiB | RSS MiB | cores when idle |
| --- | ---: | ---: | ---: |
<#list report.footprints() as name, footprint>
| ${report.label(name)} | <@n footprint["heap MiB, live"]/> | <@n footprint["rss MiB"]/> | <@n footprint["cores, idle"] 3/> |
</#list>
