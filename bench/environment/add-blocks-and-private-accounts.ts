import { queryBenchDatabase } from './bench-databases.ts'
import { sampleReaderKeys } from './generate-dataset.ts'

/** The number of blocks for 10,000 members. `privateOfTen` of ten accounts are private. */
const blockCount = 13_000
const privateOfTen = 3
const blocksAtOnce = 1_000
/** A block separates the reader from some active authors, but not from the reader's followers. */
const blockedByReader = { first: 300, count: 14 }

const isOfPrivateAuthor = `group_id is null and creator_id % 10 < ${privateOfTen}`

/** Rewrites the posts to give both communities the same layout on disk. */
export async function rewritePostsUnchanged(url: string): Promise<void> {
  await queryBenchDatabase(url, `update posts set followers_only = false where ${isOfPrivateAuthor}`)
  await queryBenchDatabase(url, 'vacuum analyze')
}

/** Never blocks followers or chat partners, so pages show equally much in both communities. */
export async function addBlocksAndPrivateAccounts(url: string): Promise<void> {
  await queryBenchDatabase(url, `update posts set followers_only = true where ${isOfPrivateAuthor}`)
  await queryBenchDatabase(
    url,
    `update users set is_private = true, followers_post_count = post_count where id % 10 < ${privateOfTen}`,
  )
  const drawn = await queryBenchDatabase<{ one: number; other: number }>(
    url,
    `select one, other from (
       select ${sampleReaderKeys.usual}::bigint as one, n::bigint as other, 0 as place
       from generate_series($1::int, $1::int + $2::int - 1) n
       union all
       select 1 + mod(abs(hashint8(n)::bigint), m.members), 1 + mod(abs(hashint8(-n)::bigint), m.members), n
       from generate_series(1, 2 * $3::bigint) n, (select max(id) as members from users) m
     ) drawn
     where one <> other
       and not exists (select from follows f where f.follower_id = one and f.following_id = other)
       and not exists (select from follows f where f.follower_id = other and f.following_id = one)
       and not exists (select from conversations c
         where c.low_id = least(one, other) and c.high_id = greatest(one, other))
     order by place limit $3`,
    [blockedByReader.first, blockedByReader.count, blockCount],
  )
  // Inserts in batches, because a trigger holds a lock per block until the transaction ends.
  for (let from = 0; from < drawn.length; from += blocksAtOnce) {
    const some = drawn.slice(from, from + blocksAtOnce)
    await queryBenchDatabase(
      url,
      `insert into blocks (public_id, blocker_id, blocked_id)
       select 'blk' || $1::int + n, one, other
       from unnest($2::bigint[], $3::bigint[]) with ordinality chosen (one, other, n) on conflict do nothing`,
      [from, some.map(({ one }) => one), some.map(({ other }) => other)],
    )
  }
  await queryBenchDatabase(url, 'vacuum analyze')
}
