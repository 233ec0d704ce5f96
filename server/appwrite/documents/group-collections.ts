import * as fields from '#contract/field-schemas.ts'
import { buildAppwriteFilePreviewUrl } from '../picture-urls.ts'
import { createQueryableExactText, createQueryableInteger } from '../queries/queryable-attributes.ts'
import {
  createdAtFieldDefinition,
  createEnumSchema,
  type DocumentDefinition,
  defineActorIdField,
  defineConstantField,
  definePictureField,
  defineReferenceField,
  defineTextField,
  documentRowColumn,
  publicIdSubquery,
  serverDerivedWriteRule,
} from './field-definitions.ts'

export const groupDocumentDefinition: DocumentDefinition = {
  hasUpdatedAt: true,
  indexedOrders: ['$createdAt'],
  narrowedBy: ['adminId'],
  limit: 'group',
  fields: {
    name: defineTextField('name', { shape: fields.groupNameSchema }),
    description: defineTextField('description', { shape: fields.groupDescriptionSchema, blank: '' }),
    imageUrl: {
      read: () => publicIdSubquery('files', documentRowColumn('image_id')),
      show: (id, config) => (id === null ? '' : buildAppwriteFilePreviewUrl(config, id as string)),
      write: serverDerivedWriteRule,
    },
    imageId: definePictureField(false),
    /** Handing over is a separate operation. */
    adminId: defineActorIdField('admin_id'),
    isPrivate: defineConstantField('is_private', true),
    memberCount: {
      read: () => documentRowColumn('member_count'),
      query: createQueryableInteger(documentRowColumn('member_count')),
      write: serverDerivedWriteRule,
    },
  },
}

export const groupMemberDocumentDefinition: DocumentDefinition = {
  hasUpdatedAt: false,
  indexedOrders: [],
  narrowedBy: ['groupId', 'userId'],
  limit: 'write',
  fields: {
    groupId: defineReferenceField('group_id', 'groups', { fixed: true }),
    userId: defineReferenceField('user_id', 'users', { fixed: true }),
    role: {
      read: () => documentRowColumn('role'),
      query: createQueryableExactText(documentRowColumn('role')),
      write: { as: 'value', column: 'role', shape: createEnumSchema('admin', 'member'), blank: 'member' },
    },
    joinedAt: createdAtFieldDefinition,
  },
}

export const groupRequestDocumentDefinition: DocumentDefinition = {
  hasUpdatedAt: true,
  indexedOrders: [],
  narrowedBy: ['groupId', 'userId'],
  limit: 'join-request',
  validateBeforePermission: true,
  refusalOf: ({ status }) =>
    status === 'rejected' ? 'group_reject_admin_required' : 'group_approve_admin_required',
  fields: {
    groupId: defineReferenceField('group_id', 'groups', { fixed: true }),
    userId: defineActorIdField('user_id'),
    status: {
      read: () => documentRowColumn('status'),
      query: createQueryableExactText(documentRowColumn('status')),
      write: { as: 'state', column: 'status', first: 'pending', entered: ['accepted', 'rejected'] },
    },
    requestedAt: createdAtFieldDefinition,
  },
}
