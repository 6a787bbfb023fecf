/**
 * The changes of the ledger that have to happen at once, as scripts of Redis.
 *
 * A shard is open from its announcement until its result is taken, and each script that takes a result first
 * looks whether it is: so a shard is announced or done, never lost and never counted twice.
 */

/** Opens the next shard, unless the campaign has enough: its number, or 0. */
export const ANNOUNCE = `
local state, open = KEYS[1], KEYS[2]
local shard, index, timeMs = ARGV[1], ARGV[2], tonumber(ARGV[3])
local budgetMs, most, atOnce = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
if redis.call('HGET', state, 'phase') ~= 'running' then return 0 end
if atOnce > 0 and redis.call('HLEN', open) >= atOnce then return 0 end
if budgetMs > 0 and tonumber(redis.call('HGET', state, 'announcedMs') or '0') + timeMs > budgetMs then return 0 end
if most > 0 and tonumber(redis.call('HGET', state, 'searches') or '0') >= most then return 0 end
local number = redis.call('HINCRBY', state, 'number', 1)
if timeMs > 0 then
  redis.call('HINCRBY', state, 'searches', 1)
  redis.call('HINCRBY', state, 'announcedMs', timeMs)
  redis.call('HINCRBY', state, 'announcedMs:' .. index, timeMs)
end
redis.call('HSET', open, ARGV[7] .. '-' .. number, string.sub(shard, 1, -2) .. ',"number":' .. number .. '}')
return number`

/**
 * Takes the result of a search: 'taken', 'again' if the standing was changed meanwhile, or 'known'. Time that
 * was not used is free again.
 */
export const TAKE = `
local state, open, standings = KEYS[1], KEYS[2], KEYS[3]
local id, index, version, standing, perSecond, isDone = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
if redis.call('HEXISTS', open, id) == 0 then return 'known' end
if (redis.call('HGET', state, 'version:' .. index) or '0') ~= version then return 'again' end
redis.call('HSET', standings, index, standing)
redis.call('HINCRBY', state, 'version:' .. index, 1)
redis.call('HSET', state, 'perSecond:' .. index, perSecond)
redis.call('HINCRBY', state, 'announcedMs', ARGV[7])
redis.call('HINCRBY', state, 'announcedMs:' .. index, ARGV[7])
if isDone == '1' then redis.call('HSET', state, 'done:' .. index, 1) end
redis.call('HDEL', open, id)
return 'taken'`

/** Takes a confirmation, or puts a shard aside: 1, or 0 if the shard is not open. */
export const SETTLE = `
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
return 1`

/** Keeps a failure unless a smaller one of its name is kept: whether it was the first. */
export const KEEP_FAILURE = `
local failures, sizes = KEYS[1], KEYS[2]
local size = redis.call('HGET', sizes, ARGV[1])
if size == false or tonumber(ARGV[3]) < tonumber(size) then
  redis.call('HSET', failures, ARGV[1], ARGV[2])
  redis.call('HSET', sizes, ARGV[1], ARGV[3])
end
return size == false and 1 or 0`

/** Adds an entry of a corpus, and says so, unless it is known or the corpus is full: 1, or 0. */
export const ADD_ENTRY = `
local entries, order, state = KEYS[1], KEYS[2], KEYS[3]
local bytes = tonumber(redis.call('HGET', state, 'bytes') or '0') + #ARGV[2]
if redis.call('HLEN', entries) >= tonumber(ARGV[3]) or bytes > tonumber(ARGV[4]) then return 0 end
if redis.call('HSETNX', entries, ARGV[1], ARGV[2]) == 0 then return 0 end
redis.call('HSET', state, 'bytes', bytes)
redis.call('ZADD', order, redis.call('HINCRBY', state, 'last', 1), ARGV[1])
redis.call('PUBLISH', state, '')
return 1`

/** Removes an entry of a corpus. */
export const REMOVE_ENTRY = `
local text = redis.call('HGET', KEYS[1], ARGV[1])
if text == false then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('HINCRBY', KEYS[3], 'bytes', -#text)
return 1`
