-- Which orders of a batch wait as parked dead letters for a person, or for their time. Parameters: the variable batch, an OrderBatch.
-- Returns: request_id.
SELECT DISTINCT request_id
FROM dead_letters
WHERE state = 'PARKED' AND request_id IN (:#in:${variable.batch.requestIds})
