-- Whether MySQL answers.
SELECT 1
