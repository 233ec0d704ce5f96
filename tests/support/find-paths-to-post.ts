import type { MemberClient } from '#api-client/member-client.ts'
import { listGroupPostsOperation } from '#contract/groups/groups.ts'
import {
  explorePostsOperation,
  getHomeFeedOperation,
  getPostOperation,
  likePostOperation,
  listLikedPostsOperation,
  listLikersOperation,
  listPersonPostsOperation,
  listSavedPostsOperation,
  type Post,
  searchPostsOperation,
} from '#contract/posts/posts.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import {
  createAppwriteDocumentsClient,
  buildAppwriteEqualQuery as equal,
} from './appwrite-documents-client.ts'

/**
 * @param since a position of the change stream before the post
 * @returns the paths by which `who` finds the post
 */
export async function findPathsToPost(
  who: MemberClient,
  { $id: postId, imageId, caption, tags }: Post,
  { author, group, since }: { author: MemberClient; group: string; since: string },
): Promise<string[]> {
  const has = ({ documents }: { documents: { $id: string }[] }) => documents.some(({ $id }) => $id === postId)
  const documents = (collection: string) => createAppwriteDocumentsClient(who, collection)
  const found = async (path: string) => (await who.request('GET', path)).status === 200
  const files = `/v1/storage/buckets/media/files/${imageId}`
  const lists = {
    explore: has(await who.call(explorePostsOperation, { limit: 100 })),
    following: has(await who.call(explorePostsOperation, { from: 'following' })),
    groups: has(await who.call(explorePostsOperation, { from: 'groups' })),
    search: has(await who.call(searchPostsOperation, { term: caption })),
    tag: has(await who.call(searchPostsOperation, { term: `#${tags[0]}` })),
    person: has(await who.call(listPersonPostsOperation, { personId: author.id })),
    saved: has(await who.call(listSavedPostsOperation, {})),
    liked: has(await who.call(listLikedPostsOperation, {})),
    home: has(await who.call(getHomeFeedOperation, {})),
    group: JSON.stringify((await who.ask(listGroupPostsOperation, { groupId: group })).body).includes(postId),
    one: (await who.ask(getPostOperation, { postId })).status === 200,
    likers: (await who.ask(listLikersOperation, { postId })).status === 200,
    cursor: (await who.ask(getHomeFeedOperation, { cursor: postId })).status === 200,
    like: (await who.ask(likePostOperation, { postId })).status === 200,
    documents: has({ documents: await documents('posts').all(equal('creator', author)) }),
    nested: JSON.stringify((await documents('users').get(author.id)).body.posts).includes(postId),
    saves: JSON.stringify(await documents('saves').all()).includes(postId),
    document: (await documents('posts').get(postId)).status === 200,
    picture: await found(`/v1/files/${imageId}`),
    view: await found(`${files}/view`),
    preview: await found(`${files}/preview?width=64`),
    missed: JSON.stringify((await who.call(catchUpOperation, { since })).changes).includes(imageId),
  }
  return Object.entries(lists).flatMap(([path, there]) => (there ? [path] : []))
}
