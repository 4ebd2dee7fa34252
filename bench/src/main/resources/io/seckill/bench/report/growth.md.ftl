<#macro n value decimals=0>${value?string("#,##0" + ["", ".0", ".00"][decimals])}</#macro>
# How cost grows

All servers, all instances and the load generator share ${cores} cores, so several instances show contention, not scale.

| what grows | to | orders/s | Redis bytes an order | CPU µs an answer | cores: application, redis, kafka, mariadb, machine | first limit |
| --- | ---: | ---: | ---: | ---: | --- | --- |
<#list steps as step>
<#assign figures = step.measured.figures>
| ${step.grows} | <@n step.to/> | <@n step.measured.perSecond/> | <@n figures["redis bytes a unit"]!0/> | <@n figures["cpu µs a request"]!0 1/> | <#list ["contender", "redis", "kafka", "mariadb", "machine"] as part><@n figures["cores " + part]!0 2/> </#list>| ${step.firstLimit}<#if step.measured.breaches?has_content> BREACH ${step.measured.breaches?join(", ")}</#if> |
</#list>
<#list failures as name, why>
- ${name}: ${why}
</#list>
