import { QueryClient, QueryClientProvider, type UseQueryResult } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { describe, expect, test } from 'vitest'
import type { Post } from '#contract/posts.ts'
import { HomeFeed } from './home-feed.tsx'

const bea = { $id: 'bea', name: 'Bea', username: 'bea', imageUrl: '', imageId: null }

const post = (id: string, change: Partial<Post> = {}): Post => ({
  $id: id,
  $createdAt: '2026-11-21T10:00:00.000Z',
  $updatedAt: '2026-11-21T10:00:00.000Z',
  creator: bea,
  caption: `Caption of ${id}`,
  location: 'Tonalá',
  tags: [],
  groupId: null,
  group: null,
  imageUrl: '',
  imageId: 'f1',
  image: { id: 'f1', url: '', width: 720, height: 900, thumbhash: '' },
  likeCount: 0,
  liked: false,
  saved: false,
  can: { edit: false, delete: false },
  ...change,
})

function feedOf(...documents: Post[]): string {
  const query = { data: { documents }, isPending: false, isFetching: false, isError: false }
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <HomeFeed
          query={query as UseQueryResult<{ documents: Post[] }>}
          afterFirst={<p id="strip">People</p>}
        />
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

const cards = (page: string) => page.match(/<article/g)?.length ?? 0

describe('the feed', () => {
  test('CARD-12 leaves out a post without a creator', () => {
    const page = feedOf(post('p1'), post('p2', { creator: null }), post('p3'))
    expect(cards(page)).toBe(2)
    expect(page).not.toContain('Caption of p2')
  })

  test('CARD-12 of orphaned posts alone is an empty one', () => {
    expect(feedOf(post('p1', { creator: null }))).toContain('No posts available')
  })

  test('HOME-09 keeps the row of people after the first post', () => {
    const page = feedOf(post('p1'), post('p2'))
    const [before, after] = page.split('id="strip"')
    expect(cards(before ?? '')).toBe(1)
    expect(cards(after ?? '')).toBe(1)
  })
})

describe('a card', () => {
  test('CARD-05 has an edit link where its reader may edit, and nowhere else', () => {
    expect(feedOf(post('p1'))).not.toContain('Edit post')
    const page = feedOf(post('p1', { can: { edit: true, delete: true } }))
    expect(page).toContain('aria-label="Edit post"')
    expect(page).toContain('href="/update-post/p1"')
  })

  test('CARD-07 shows tags as #tag, one typed twice twice', () => {
    expect(feedOf(post('p1', { tags: ['sol', 'mar', 'sol'] })).match(/#(sol|mar)/g)).toEqual([
      '#sol',
      '#mar',
      '#sol',
    ])
  })

  test("CARD-08 CARD-09 says 'Posted in' a group and of a public post nothing", () => {
    const inGroup = feedOf(post('p1', { groupId: 'g1', group: { $id: 'g1', name: 'Club de Cerámica' } }))
    expect(inGroup.replace(/<(?!a|\/a)[^>]+>/g, '')).toMatch(
      /href="\/groups\/g1"[^>]*>Posted in Club de Cerámica<\/a>/,
    )
    expect(feedOf(post('p1'))).not.toContain('Posted in')
  })

  test('CARD-11 shows how it stands', () => {
    const page = feedOf(post('p1', { likeCount: 3, liked: true }), post('p2', { likeCount: 1, saved: true }))
    expect(page).toContain('aria-pressed="true" aria-label="Like, 3 likes"')
    expect(page).toContain('aria-pressed="false" aria-label="Like, 1 like"')
    expect(page.match(/aria-pressed="(true|false)" aria-label="Save"/g)).toEqual([
      'aria-pressed="false" aria-label="Save"',
      'aria-pressed="true" aria-label="Save"',
    ])
  })

  test('CARD-10 describes the picture by the start of the caption', () => {
    expect(feedOf(post('p1', { caption: 'a'.repeat(200) }))).toContain(`alt="${'a'.repeat(80)}"`)
  })
})
