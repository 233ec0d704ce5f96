import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { describe, expect, test } from 'vitest'
import type { Post, PostPage } from '#contract/posts/posts.ts'
import { postFixture } from '#tests/fixtures/post-fixture.ts'
import { PaginatedPostGrid } from './paginated-post-grid.tsx'
import { flattenPostPages } from './queries.ts'
import type { PostPagesResult } from './use-post-pages.ts'

const page = (...documents: Post[]): PostPage => ({ documents, next: null })

function shown(...pages: PostPage[]): string {
  const query = { data: { pages, pageParams: [] }, isPending: false, isFetching: false, hasNextPage: false }
  return renderToStaticMarkup(
    <MemoryRouter>
      <PaginatedPostGrid
        query={query as unknown as PostPagesResult}
        empty={<p>End of posts</p>}
        end={<p>You’ve seen everything for now.</p>}
      />
    </MemoryRouter>,
  )
}

describe('a paginated list of posts', () => {
  test("EXP-11 an empty list ends with 'End of posts', and a list with posts with 'You’ve seen everything for now.'", () => {
    expect(shown(page())).toContain('End of posts')
    expect(shown(page())).not.toContain('You’ve seen everything')
    const full = shown(page(postFixture('p1')), page())
    expect(full).toContain('You’ve seen everything for now.')
    expect(full).not.toContain('End of posts')
  })

  test('EXP-08 a post that moves to the next page between requests is shown once', () => {
    const pages = [page(postFixture('p1'), postFixture('p2')), page(postFixture('p2'), postFixture('p3'))]
    expect(flattenPostPages({ pages }).map((each) => each.$id)).toEqual(['p1', 'p2', 'p3'])
    expect(shown(...pages).match(/<li /g)).toHaveLength(3)
  })
})
