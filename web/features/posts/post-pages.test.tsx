import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { describe, expect, test } from 'vitest'
import type { Post, PostPage } from '#contract/posts.ts'
import { postsOf } from './list-queries.ts'
import { PostPages } from './post-pages.tsx'
import type { PostPagesResult } from './use-post-pages.ts'

const bea = { $id: 'bea', name: 'Bea', username: 'bea', imageUrl: '', imageId: null }

const post = (id: string): Post => ({
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
})

const page = (...documents: Post[]): PostPage => ({ documents, next: null })

function shown(...pages: PostPage[]): string {
  const query = { data: { pages, pageParams: [] }, isPending: false, isFetching: false, hasNextPage: false }
  return renderToStaticMarkup(
    <MemoryRouter>
      <PostPages
        query={query as unknown as PostPagesResult}
        empty={<p>End of posts</p>}
        end={<p>You’ve seen everything for now.</p>}
      />
    </MemoryRouter>,
  )
}

describe('a list of posts that goes on', () => {
  test("EXP-11 'End of posts' is said of no posts at all, another line of the last page", () => {
    expect(shown(page())).toContain('End of posts')
    expect(shown(page())).not.toContain('You’ve seen everything')
    const full = shown(page(post('p1')), page())
    expect(full).toContain('You’ve seen everything for now.')
    expect(full).not.toContain('End of posts')
  })

  test('EXP-08 a post that moved to the next page meanwhile stands there once', () => {
    const pages = [page(post('p1'), post('p2')), page(post('p2'), post('p3'))]
    expect(postsOf({ pages }).map((each) => each.$id)).toEqual(['p1', 'p2', 'p3'])
    expect(shown(...pages).match(/<li /g)).toHaveLength(3)
  })
})
