import type { CollectionEffects } from '../store/collection-effects.ts'
import { afterMessageUpdated } from './chat/message-effects.ts'
import { tombstoneAnsweredThread } from './comments/comment-effects.ts'
import { captionMentions, commentMentions } from './comments/write-mentions.ts'
import {
  afterGroupCreated,
  afterGroupUpdated,
  afterJoinRequestDecided,
  afterMemberAdmitted,
  beforeGroupRemoved,
  beforeMemberRemoved,
} from './groups/group-effects.ts'
import { beforeFollowRemoved } from './people/follow-effects.ts'
import { afterPostUpdated, beforePostRemoved } from './posts/post-effects.ts'

export const collectionEffects: CollectionEffects = {
  posts: { mentions: captionMentions, afterUpdate: afterPostUpdated, beforeRemove: beforePostRemoved },
  comments: { mentions: commentMentions, insteadOfRemove: tombstoneAnsweredThread },
  follows: { beforeRemove: beforeFollowRemoved },
  groups: {
    afterCreate: afterGroupCreated,
    afterUpdate: afterGroupUpdated,
    beforeRemove: beforeGroupRemoved,
  },
  groupMembers: { afterCreate: afterMemberAdmitted, beforeRemove: beforeMemberRemoved },
  groupRequests: { afterUpdate: afterJoinRequestDecided },
  messages: { afterUpdate: afterMessageUpdated },
}
