/** Groups, their members and the requests to join, as documents (spec §3 Group, Group member, Group request). */
import * as fields from '#contract/fields.ts'
import { pictureUrl } from '../views.ts'
import {
  actor,
  constant,
  creationTime,
  type DocumentCollection,
  derived,
  idOf,
  oneOf,
  pictureId,
  reference,
  t,
  text,
} from './document-fields.ts'
import { exact, integer } from './query-conditions.ts'

export const groups: DocumentCollection = {
  name: 'groups',
  table: 'groups',
  edited: true,
  limit: 'group',
  fields: {
    name: text('name', { shape: fields.groupName }),
    description: text('description', { shape: fields.groupDescription, blank: '' }),
    imageUrl: {
      read: () => idOf('files', t('image_id')),
      show: (id, config) => (id === null ? '' : pictureUrl(config, id as string)),
      write: derived,
    },
    imageId: pictureId(false),
    /** Handing a group over is an operation of its own. */
    adminId: actor('admin_id'),
    isPrivate: constant('is_private', true),
    memberCount: { read: () => t('member_count'), query: integer(t('member_count')), write: derived },
  },
}

export const groupMembers: DocumentCollection = {
  name: 'groupMembers',
  table: 'group_members',
  edited: false,
  limit: 'write',
  fields: {
    groupId: reference('group_id', 'groups', { fixed: true }),
    userId: reference('user_id', 'users', { fixed: true }),
    role: {
      read: () => t('role'),
      query: exact(t('role')),
      write: { as: 'value', column: 'role', shape: oneOf('admin', 'member'), blank: 'member' },
    },
    joinedAt: creationTime,
  },
}

export const groupRequests: DocumentCollection = {
  name: 'groupRequests',
  table: 'group_requests',
  edited: true,
  limit: 'join-request',
  structureFirst: true,
  refused: ({ status }) =>
    status === 'rejected' ? 'group_reject_admin_required' : 'group_approve_admin_required',
  fields: {
    groupId: reference('group_id', 'groups', { fixed: true }),
    userId: actor('user_id'),
    status: {
      read: () => t('status'),
      query: exact(t('status')),
      write: { as: 'state', column: 'status', first: 'pending', entered: ['accepted', 'rejected'] },
    },
    requestedAt: creationTime,
  },
}
