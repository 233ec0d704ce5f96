/** Public posts, posts of a group, and who keeps them: every path of the matrix to them. */

import { groupPosts, myGroupsPosts } from '#contract/groups.ts'
import { getPerson } from '#contract/people.ts'
import {
  createPost,
  deletePost,
  explorePosts,
  getPost,
  homeFeed,
  likedPosts,
  likePost,
  postsByPerson,
  savedPosts,
  savePost,
  searchPosts,
  unlikePost,
  unsavePost,
  updatePost,
} from '#contract/posts.ts'
import { content, documentsOf, equal } from '../appwrite/documents.ts'
import { readyPicture } from '../groups.ts'
import type { Person } from '../person.ts'
import { type Attempt, catchesUp, counts, outcome, reading, type Scene, shows, writing } from './attempt.ts'
import { open, secret } from './cast.ts'

const posts = (who: Parameters<typeof documentsOf>[0]) => documentsOf(who, 'posts')
const users = (who: Parameters<typeof documentsOf>[0]) => documentsOf(who, 'users')
const saves = (who: Parameters<typeof documentsOf>[0]) => documentsOf(who, 'saves')
const changed = { caption: 'Cambiada por alguien' }

/** The author of the post in question: who left the group is asked about her own. */
const author = ({ cast, column }: Scene) => (column === 'L' ? cast.ola : cast.ana)
const hidden = ({ cast, column }: Scene) => (column === 'L' ? cast.left.$id : cast.kept.$id)
const ofGroup = async (scene: Scene) =>
  scene.succeeds ? await scene.cast.postOf(author(scene), scene.cast.knit) : hidden(scene)
const ofAll = async ({ cast, succeeds }: Scene) =>
  succeeds ? await cast.postOf(cast.ana, null) : cast.shown.$id
const herPicture = ({ cast, succeeds }: Scene, who: Person) =>
  succeeds ? readyPicture(cast.w.database, who) : cast.spareOf(who)

export const postAttempts: Attempt[] = [
  ...reading('PP1', {
    'document list by creator': async (who, { cast }) =>
      shows(await posts(who).list(equal('creator', cast.ana)), cast.shown.$id),
    'document search': async (who, { cast }) =>
      shows(await posts(who).list(`search("caption", ["${open}"])`), cast.shown.$id),
    'nested in the profile document': async (who, { cast }) =>
      shows(await users(who).get(cast.ana.id), cast.shown.$id),
    explorePosts: async (who, { cast }) => shows(await who.ask(explorePosts, { limit: 100 }), cast.shown.$id),
    searchPosts: async (who, { cast }) => shows(await who.ask(searchPosts, { term: open }), cast.shown.$id),
    postsByPerson: async (who, { cast }) =>
      shows(await who.ask(postsByPerson, { personId: cast.ana.id }), cast.shown.$id),
    catchUp: (who, { cast }) => catchesUp(who, cast, 'posts', cast.shown.$id),
  }),
  ...reading('PP2', {
    document: async (who, { cast }) => outcome(await posts(who).get(cast.shown.$id)),
    getPost: async (who, { cast }) => outcome(await who.ask(getPost, { postId: cast.shown.$id })),
  }),
  ...writing('PP3', {
    document: async (who, scene) =>
      outcome(await posts(who).create({ ...content, imageId: await herPicture(scene, who) })),
    createPost: async (who, scene) =>
      outcome(await who.ask(createPost, { ...content, imageId: await herPicture(scene, who) })),
  }),
  ...writing('PP3 as another', {
    document: async (who, { cast, column }) => {
      const creator = column === 'O' ? cast.bea.id : cast.ana.id
      return outcome(await posts(who).create({ ...content, imageId: cast.unattached, creator }))
    },
    createPost: async (who, { cast, column }) => {
      const userId = column === 'O' ? cast.bea.id : cast.ana.id
      return outcome(await who.ask(createPost, { ...content, imageId: cast.unattached, userId }))
    },
  }),
  ...writing('PP4', {
    document: async (who, scene) => outcome(await posts(who).patch(await ofAll(scene), changed)),
    updatePost: async (who, scene) =>
      outcome(await who.ask(updatePost, { postId: await ofAll(scene), ...changed })),
  }),
  ...writing('PP5', {
    document: async (who, scene) => outcome(await posts(who).patch(await ofAll(scene), { likes: [who.id] })),
    likePost: async (who, scene) => outcome(await who.ask(likePost, { postId: await ofAll(scene) })),
    unlikePost: async (who, scene) => outcome(await who.ask(unlikePost, { postId: await ofAll(scene) })),
  }),
  ...writing('PP6', {
    document: async (who, scene) =>
      outcome(await posts(who).patch(await ofAll(scene), { groupId: scene.cast.knit })),
    updatePost: async (who, scene) =>
      outcome(await who.ask(updatePost, { postId: await ofAll(scene), groupId: scene.cast.knit })),
  }),
  ...writing('PP6 foreign', {
    document: async (who, { cast, column }) =>
      outcome(await posts(who).patch(cast.shown.$id, { groupId: column === 'B' ? cast.knit : cast.other })),
    updatePost: async (who, { cast, column }) => {
      const groupId = column === 'B' ? cast.knit : cast.other
      return outcome(await who.ask(updatePost, { postId: cast.shown.$id, groupId }))
    },
  }),
  ...writing('PP7', {
    document: async (who, scene) => outcome(await posts(who).remove(await ofAll(scene))),
    deletePost: async (who, scene) => outcome(await who.ask(deletePost, { postId: await ofAll(scene) })),
  }),

  ...reading('PG1', {
    'document list': async (who, scene) =>
      shows(await posts(who).list(equal('groupId', scene.cast.knit)), hidden(scene)),
    'document list with other words': async (who, scene) =>
      shows(
        await posts(who).list(
          `{"method":"equal","attribute":"groupId","values":["${scene.cast.knit}"]}`,
          'limit(100)',
        ),
        hidden(scene),
      ),
    groupPosts: async (who, scene) =>
      shows(await who.ask(groupPosts, { groupId: scene.cast.knit }), hidden(scene)),
  }),
  ...reading('PG2', {
    'document list': async (who, scene) => shows(await posts(who).list('limit(100)'), hidden(scene)),
    'document list by creator': async (who, scene) =>
      shows(await posts(who).list(equal('creator', author(scene))), hidden(scene)),
    'document list by id': async (who, scene) =>
      shows(await posts(who).list(equal('$id', hidden(scene))), hidden(scene)),
    'total of a document list': async (who, scene) =>
      counts(await posts(who).list(equal('$id', hidden(scene))), ({ total }) => total, 1),
    'document list of posts in any group': async (who, scene) =>
      shows(await posts(who).list('isNotNull("groupId")', 'limit(100)'), hidden(scene)),
    'document search': async (who, scene) =>
      shows(await posts(who).list(`search("caption", ["${secret}"])`, 'limit(100)'), hidden(scene)),
    'nested in the profile document': async (who, scene) =>
      shows(await users(who).get(author(scene).id), hidden(scene)),
    'total in the profile document': async (who, scene) => {
      const of = author(scene)
      return counts(
        await users(who).get(of.id),
        ({ postsTotal }) => postsTotal,
        of === scene.cast.ana ? 2 : 1,
      )
    },
    'liked in her own document': async (who, scene) =>
      shows(await users(who).list(equal('$id', who), 'select(["liked.*"])'), hidden(scene)),
    'saved in her own document': async (who, scene) =>
      shows(await users(who).list(equal('$id', who), 'select(["save.*"])'), hidden(scene)),
    'saves documents': async (who, scene) => shows(await saves(who).list('limit(100)'), hidden(scene)),
    explorePosts: async (who, scene) => shows(await who.ask(explorePosts, { limit: 100 }), hidden(scene)),
    searchPosts: async (who, scene) => shows(await who.ask(searchPosts, { term: secret }), hidden(scene)),
    postsByPerson: async (who, scene) =>
      shows(await who.ask(postsByPerson, { personId: author(scene).id }), hidden(scene)),
    savedPosts: async (who, scene) => shows(await who.ask(savedPosts, {}), hidden(scene)),
    likedPosts: async (who, scene) => shows(await who.ask(likedPosts, {}), hidden(scene)),
    'postCount of getPerson': async (who, scene) => {
      const of = author(scene)
      const withIt = of === scene.cast.ana ? 2 : 1
      return counts(await who.ask(getPerson, { personId: of.id }), ({ postCount }) => postCount, withIt)
    },
    catchUp: (who, scene) => catchesUp(who, scene.cast, 'posts', hidden(scene)),
  }),
  // What she wrote before she left is hers, but no news of her groups.
  ...reading('PG2', {
    homeFeed: async (who, scene) => shows(await who.ask(homeFeed, {}), hidden(scene)),
    myGroupsPosts: async (who, scene) => shows(await who.ask(myGroupsPosts, {}), hidden(scene)),
  }).map((attempt): Attempt => ({ ...attempt, except: { L: 'E' } })),
  ...reading('PG3', {
    document: async (who, scene) => outcome(await posts(who).get(hidden(scene))),
  }),
  // The spec words this one (reading D-07).
  {
    row: 'PG3',
    path: 'getPost',
    worded: { '404': '403' },
    act: async (who, scene) => outcome(await who.ask(getPost, { postId: hidden(scene) })),
  },
  ...writing('PG4', {
    document: async (who, scene) => {
      const imageId = await herPicture(scene, who)
      return outcome(await posts(who).create({ ...content, imageId, groupId: scene.cast.knit }))
    },
    createPost: async (who, scene) => {
      const imageId = await herPicture(scene, who)
      return outcome(await who.ask(createPost, { ...content, imageId, groupId: scene.cast.knit }))
    },
  }),
  ...writing('PG5', {
    document: async (who, scene) => outcome(await posts(who).patch(await ofGroup(scene), changed)),
    updatePost: async (who, scene) =>
      outcome(await who.ask(updatePost, { postId: await ofGroup(scene), ...changed })),
  }),
  ...writing('PG6', {
    document: async (who, scene) =>
      outcome(await posts(who).patch(await ofGroup(scene), { likes: [who.id] })),
    'document, taking it back': async (who, scene) =>
      outcome(await posts(who).patch(await ofGroup(scene), { likes: [] })),
    likePost: async (who, scene) => outcome(await who.ask(likePost, { postId: await ofGroup(scene) })),
    unlikePost: async (who, scene) => outcome(await who.ask(unlikePost, { postId: await ofGroup(scene) })),
  }),
  ...writing('PG7', {
    document: async (who, scene) => outcome(await posts(who).patch(await ofGroup(scene), { groupId: null })),
    updatePost: async (who, scene) =>
      outcome(await who.ask(updatePost, { postId: await ofGroup(scene), groupId: null })),
  }),
  ...writing('PG8', {
    document: async (who, scene) => outcome(await posts(who).remove(await ofGroup(scene))),
    deletePost: async (who, scene) => outcome(await who.ask(deletePost, { postId: await ofGroup(scene) })),
  }),

  ...reading('SV1', {
    'document list': async (who, { cast }) => shows(await saves(who).list('limit(100)'), cast.save),
    'document list by member': async (who, { cast }) =>
      shows(await saves(who).list(equal('user', cast.ana)), cast.save),
    'nested in the profile document': async (who, { cast }) =>
      shows(await users(who).get(cast.ana.id), cast.save),
  }),
  ...reading('SV2', { document: async (who, { cast }) => outcome(await saves(who).get(cast.save)) }),
  ...writing('SV3', {
    document: async (who, scene) => outcome(await saves(who).create({ user: who.id, post: hidden(scene) })),
    savePost: async (who, scene) => outcome(await who.ask(savePost, { postId: hidden(scene) })),
  }),
  ...writing('SV3 as another', {
    document: async (who, { cast, column }) => {
      const user = column === 'O' ? cast.bea.id : cast.ana.id
      return outcome(await saves(who).create({ user, post: cast.kept.$id }))
    },
    savePost: async (who, { cast, column }) => {
      const userId = column === 'O' ? cast.bea.id : cast.ana.id
      return outcome(await who.ask(savePost, { postId: cast.kept.$id, userId }))
    },
  }),
  ...writing('SV4', {
    document: async (who, { cast }) => outcome(await saves(who).patch(cast.save, { post: cast.shown.$id })),
  }),
  ...writing('SV5', {
    document: async (who, { cast, succeeds }) => {
      const made = succeeds && (await saves(who).made({ user: who.id, post: cast.left.$id })).$id
      return outcome(await saves(who).remove(made || cast.save))
    },
  }),
  {
    row: 'SV5',
    path: 'unsavePost',
    writes: true,
    only: ['O'],
    act: async (who, { cast }) => outcome(await who.ask(unsavePost, { postId: cast.left.$id })),
  },
]
