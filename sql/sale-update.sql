-- Sets a sale's terms. delta is what the stock changes by, so the units MySQL still holds change by the same.
-- :#productId :#name :#stock :#delta :#maxQuantity :#startsAt :#endsAt :#ratePerSecond :#activityId
UPDATE products
SET name = :#name, initial_stock = :#stock, count = count + :#delta, max_quantity = :#maxQuantity,
    starts_at = :#startsAt, ends_at = :#endsAt, rate_per_second = :#ratePerSecond, activity_id = :#activityId,
    updated_at = FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000)
WHERE id = :#productId
