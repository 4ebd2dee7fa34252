-- How many dead letters wait for an operator, by product; null for records that are no orders. Reads the index k_state.
SELECT product_id, COUNT(*) AS parked
FROM dead_letters
WHERE state = 'PARKED'
GROUP BY product_id
