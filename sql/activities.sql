-- Activities that have a rate or a sale, and how many sales each has.
-- :#activityId (0: all)
SELECT a.activity_id, r.rate_per_second, COUNT(p.id) AS sales
FROM (SELECT activity_id FROM products WHERE activity_id IS NOT NULL
      UNION SELECT subject_id FROM rate_limits WHERE scope = 'activity' AND subject_id > 0) a
LEFT JOIN rate_limits r ON r.scope = 'activity' AND r.subject_id = a.activity_id
LEFT JOIN products p ON p.activity_id = a.activity_id
WHERE :#activityId IN (0, a.activity_id)
GROUP BY a.activity_id, r.rate_per_second
ORDER BY a.activity_id
