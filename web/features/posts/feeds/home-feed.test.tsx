import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { describe, expect, test } from 'vitest'
import type { Post } from '#contract/posts/posts.ts'
import { postFixture } from '#tests/fixtures/post-fixture.ts'
import type { PostPagesResult } from '../use-post-pages.ts'
import { HomeFeed } from './home-feed.tsx'

function feedOf(...documents: Post[]): string {
  const pages = [{ documents, next: null }]
  const query = { data: { pages, pageParams: [] }, isPending: false, isFetching: false, hasNextPage: false }
  const client = new QueryClient()
  client.setQueryData(['me'], { $id: 'ana' })
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <HomeFeed query={query as unknown as PostPagesResult} afterFirst={<p id="strip">People</p>} />
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

const cards = (page: string) => page.match(/<article/g)?.length ?? 0

describe('the feed', () => {
  test('CARD-12 the feed leaves out a post without a creator', () => {
    const page = feedOf(postFixture('p1'), postFixture('p2', { creator: null }), postFixture('p3'))
    expect(cards(page)).toBe(2)
    expect(page).not.toContain('Caption of p2')
  })

  test('CARD-12 a feed with only posts without creators is shown as empty', () => {
    expect(feedOf(postFixture('p1', { creator: null }))).toContain('No posts available')
  })

  test('HOME-09 the feed keeps the row of people after the first post', () => {
    const page = feedOf(postFixture('p1'), postFixture('p2'))
    const [before, after] = page.split('id="strip"')
    expect(cards(before ?? '')).toBe(1)
    expect(cards(after ?? '')).toBe(1)
  })
})

describe('a card', () => {
  test('CARD-05 a card has an edit link only if the reader may edit the post', () => {
    expect(feedOf(postFixture('p1'))).not.toContain('Edit post')
    const page = feedOf(postFixture('p1', { can: { edit: true, delete: true } }))
    expect(page).toContain('aria-label="Edit post"')
    expect(page).toContain('href="/update-post/p1"')
  })

  test('CARD-07 a card shows tags as #tag, and repeats a repeated tag', () => {
    expect(feedOf(postFixture('p1', { tags: ['sol', 'mar', 'sol'] })).match(/#(sol|mar)/g)).toEqual([
      '#sol',
      '#mar',
      '#sol',
    ])
  })

  test("CARD-08 CARD-09 a card says 'Posted in' for a group's post, but not for a public post", () => {
    const inGroup = feedOf(
      postFixture('p1', { groupId: 'g1', group: { $id: 'g1', name: 'Club de Cerámica' } }),
    )
    expect(inGroup.replace(/<(?!a|\/a)[^>]+>/g, '')).toMatch(
      /href="\/groups\/g1"[^>]*>Posted in Club de Cerámica<\/a>/,
    )
    expect(feedOf(postFixture('p1'))).not.toContain('Posted in')
  })

  test('CARD-11 a card shows whether the post is liked and saved', () => {
    const page = feedOf(
      postFixture('p1', { likeCount: 3, liked: true }),
      postFixture('p2', { likeCount: 1, saved: true }),
    )
    expect(page).toContain('aria-pressed="true" aria-label="Like, 3 likes"')
    expect(page).toContain('aria-pressed="false" aria-label="Like, 1 like"')
    expect(page.match(/aria-pressed="(true|false)" aria-label="Save"/g)).toEqual([
      'aria-pressed="false" aria-label="Save"',
      'aria-pressed="true" aria-label="Save"',
    ])
  })

  test('CARD-10 a card describes its picture with the start of the caption', () => {
    expect(feedOf(postFixture('p1', { caption: 'a'.repeat(200) }))).toContain(`alt="${'a'.repeat(80)}"`)
  })
})
