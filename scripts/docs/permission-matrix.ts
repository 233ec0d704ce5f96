/**
 * matrix.test.ts tries each row as every person on every path. A name after an id marks a case with its own cells.
 */

export const permissionMatrixColumns = {
  V: 'a visitor: not signed in',
  S: 'a member with no relation to the owner or the group',
  F: 'a follower of the owner',
  O: 'the owner: author, uploader, sender or requester',
  L: 'the author, after leaving the group',
  P: 'the other participant in the conversation, or the person tagged in the photo',
  M: 'a member of the group',
  X: 'a person who left the group, was removed from it, or was rejected',
  A: "the group's admin",
  B: 'the admin of another group',
  K: 'a group member whom the owner has blocked; for conversations and messages, the participant whom the other has blocked',
  C: 'the same as K, but C has blocked the owner',
  Q: "a member whose request to follow the owner's private account is pending",
  N: 'a moderator with no relation to it, on duty or not: the same as S in every row',
} as const

export type PermissionMatrixColumn = keyof typeof permissionMatrixColumns
const order = Object.keys(permissionMatrixColumns) as PermissionMatrixColumn[]

export const permissionOutcomeMeanings = {
  ok: 'yes',
  same: 'the response is the existing state; nothing changes',
  E: 'empty: an empty list, or no message on a socket',
  '400': 'refused for every caller: nobody can change this',
  '401': 'the caller must sign in first',
  '403': 'refused; the documents API answers 401 `user_unauthorized` instead',
  '404': 'does not exist for the caller',
  '409': 'refused in the current state',
  '-': 'cannot occur, or is the same person as another column',
} as const

export type PermissionMatrixOutcome = keyof typeof permissionOutcomeMeanings
export type PermissionMatrixRow = {
  on: string
  does: string
  cells: Record<PermissionMatrixColumn, PermissionMatrixOutcome>
}

const row = <const On extends string>(
  on: On,
  does: string,
  written: string,
): PermissionMatrixRow & { on: On } => {
  const given = written.split(' ')
  // Most rows omit column Q. It is then `-`.
  if (given.length === order.indexOf('Q')) given.push('-')
  given.push(given[order.indexOf('S')] as string)
  if (
    given.length !== order.length ||
    !given.every((cell) => Object.hasOwn(permissionOutcomeMeanings, cell))
  ) {
    throw new Error(`A row needs ${order.length - 1} cells: ${on}, ${does}`)
  }
  return {
    on,
    does,
    cells: Object.fromEntries(
      order.map((column, place) => [column, given[place]]),
    ) as PermissionMatrixRow['cells'],
  }
}

/** Cells are in column order. The last is omitted, because a moderator has the same access as a stranger. */
export const permissionMatrix = {
  U1: row('member', 'list, search', '401 ok ok ok - - ok ok ok ok E E'),
  U2: row('member', 'read', '401 ok ok ok - - ok ok ok ok 404 404'),
  U3: row('member', 'write a profile for this account', '401 403 403 409 - - 403 403 403 403 403 403'),
  U4: row('member', 'change', '401 403 403 ok - - 403 403 403 403 404 404'),
  U5: row('member', 'delete', '401 403 403 403 - - 403 403 403 403 404 404'),

  PP1: row('public post', 'list, search, by creator', '401 ok ok ok - - ok ok ok ok E E'),
  PP2: row('public post', 'read', '401 ok ok ok - - ok ok ok ok 404 404'),
  PP3: row('public post', 'create', '401 ok ok ok - - ok ok ok ok ok ok'),
  'PP3 as another': row(
    'public post',
    'create as another member',
    '401 403 403 403 - - 403 403 403 403 403 403',
  ),
  PP4: row('public post', 'change', '401 403 403 ok - - 403 403 403 403 404 404'),
  PP5: row('public post', 'like, unlike', '401 ok ok ok - - ok ok ok ok 404 404'),
  PP6: row('public post', 'move into the group', '401 403 403 ok - - 403 403 403 403 404 404'),
  'PP6 foreign': row(
    'public post',
    'move into a group of which the caller is not a member',
    '401 403 403 403 - - 403 403 403 403 404 404',
  ),
  PP7: row('public post', 'delete', '401 403 403 ok - - 403 403 403 403 404 404'),

  HI1: row('public post', 'read earlier versions', '401 403 403 ok - - 403 403 403 403 404 404'),

  AU1: row('public post', 'preview its audience', '401 404 404 ok - - 404 404 404 404 404 404'),
  AU2: row(
    'post of a group',
    'preview the audience of a new one',
    '401 403 403 ok 403 - ok 403 ok 403 ok ok',
  ),
  AU3: row('public post', 'its receipt', '401 E E ok - - E E E E 404 404'),
  PG1: row('post of a group', 'list by group', '401 403 403 ok 403 - ok 403 ok 403 E E'),
  PG2: row('post of a group', 'any other list', '401 E E ok ok - ok E ok E E E'),
  PG3: row('post of a group', 'read', '401 404 404 ok ok - ok 404 ok 404 404 404'),
  PG4: row('post of a group', 'create', '401 403 403 ok 403 - ok 403 ok 403 ok ok'),
  PG5: row('post of a group', 'change', '401 404 404 ok 403 - 403 404 403 404 404 404'),
  PG6: row('post of a group', 'like, unlike', '401 404 404 ok ok - ok 404 ok 404 404 404'),
  PG7: row('post of a group', 'make public', '401 404 404 ok ok - 403 404 403 404 404 404'),
  PG8: row('post of a group', 'delete', '401 404 404 ok ok - 403 404 403 404 404 404'),
  PG9: row('post of a group', 'take along when leaving', '401 404 404 403 ok - 403 404 403 404 404 404'),
  'PG9 all': row(
    'post of a group',
    'take along all of her posts',
    '401 same same same ok - same same same same same same',
  ),

  SV1: row("save of a group's post", 'list', '401 E E ok - - E E E E E E'),
  SV2: row("save of a group's post", 'read', '401 404 404 ok - - 404 404 404 404 404 404'),
  SV3: row("save of a group's post", 'create', '401 404 404 ok ok - ok 404 ok 404 404 404'),
  'SV3 as another': row(
    "save of a group's post",
    'create for another',
    '401 403 403 403 - - 403 403 403 403 403 403',
  ),
  SV4: row("save of a group's post", 'change', '401 404 404 403 - - 404 404 404 404 404 404'),
  SV5: row("save of a group's post", 'delete', '401 404 404 ok - - 404 404 404 404 404 404'),

  CM1: row("comment under a group's post", 'list, read', '401 404 404 ok ok - ok 404 ok 404 404 404'),
  CM2: row("comment under a group's post", 'write', '401 404 404 ok 403 - ok 404 ok 404 404 404'),
  'CM2 as another': row(
    'comment under a public post',
    'write as another',
    '401 403 403 403 - - 403 403 403 403 404 404',
  ),
  CM3: row(
    'public post whose author lets those she follows comment',
    'comment',
    '401 403 403 ok - - 403 403 403 403 404 404',
  ),
  'CM3 nobody': row(
    'public post whose author lets nobody comment',
    'comment',
    '401 403 403 403 - - 403 403 403 403 404 404',
  ),
  CM4: row('comment under a public post', 'change', '401 403 403 ok - - 403 403 403 403 404 404'),
  CM5: row('comment under a public post', 'delete', '401 403 403 ok - - 403 403 403 403 404 404'),
  CM6: row(
    'comment under a public post of another',
    'remove with its replies',
    '401 403 403 ok - - 403 403 403 403 404 404',
  ),
  CM7: row(
    'comment under a public post whose author and commenter are blocked from each other',
    'remove, as the commenter or the author of the post',
    '401 403 403 ok - - 404 403 403 403 ok ok',
  ),
  MN1: row(
    "comment under a group's post",
    'list who can be mentioned in one',
    '401 404 404 ok ok - ok 404 ok 404 404 404',
  ),
  MN2: row(
    'post of a group',
    'list who can be mentioned in a new one',
    '401 404 404 ok 404 - ok 404 ok 404 ok ok',
  ),
  MN3: row('member', 'find someone to mention', '401 ok ok E - - ok ok ok ok E E'),
  CL1: row("comment under a group's post", 'like, unlike', '401 404 404 ok ok - ok 404 ok 404 404 404'),
  CL2: row('comment under a public post', 'like, unlike', '401 ok ok ok - - ok ok ok ok 404 404'),

  NP1: row('own photo', 'tag another member', '401 403 403 ok - 403 403 403 403 403 404 404'),
  NP2: row('tag of another member in a photo', 'accept', '401 404 404 404 - ok 404 404 404 404 404 404'),
  NP3: row('tag of another member in a photo', 'remove it', '401 404 404 ok - ok 404 404 404 404 404 404'),
  NP4: row(
    'photo with another member tagged',
    'hide, show again',
    '401 404 404 404 - ok 404 404 404 404 404 404',
  ),
  NP5: row(
    'photo hidden by the member tagged in it',
    'see its bytes',
    '401 404 404 ok - ok 404 404 404 404 404 404',
  ),

  FO1: row('follow', 'list, read', '401 ok - ok - - ok ok ok ok E E'),
  FO2: row('follow', 'create', '401 ok - ok - - ok ok ok ok 404 404'),
  'FO2 as another': row('follow', 'create for another', '401 403 - 403 - - 403 403 403 403 403 403'),
  FO3: row('follow', 'change', '401 403 - 403 - - 403 403 403 403 404 404'),
  FO4: row('follow', 'delete, as the follower or the followed', '401 403 - ok - - 403 403 403 403 404 404'),

  CV1: row('conversation', 'list', '401 E E ok - ok E E E E ok ok'),
  CV2: row('conversation', 'read', '401 404 404 ok - ok 404 404 404 404 ok ok'),
  CV3: row('conversation', 'open with a member', '401 ok ok ok - ok ok ok ok ok 404 404'),
  'CV3 of others': row(
    'conversation',
    'open between two others',
    '401 403 403 - - - 403 403 403 403 403 403',
  ),
  CV4: row('conversation', 'write its last message', '401 404 404 same - same 404 404 404 404 same same'),
  'CV4 of others': row(
    'conversation',
    'change its participants',
    '401 404 404 400 - 400 404 404 404 404 400 400',
  ),
  CV5: row('conversation', 'delete', '401 404 404 403 - 403 404 404 404 404 403 403'),

  MS1: row('message', 'list', '401 E E ok - ok E E E E ok ok'),
  MS2: row('message', 'read', '401 404 404 ok - ok 404 404 404 404 ok ok'),
  MS3: row('message', 'send', '401 404 404 ok - ok 404 404 404 404 403 403'),
  'MS3 as another': row('message', 'send as another', '401 404 404 403 - 403 404 404 404 404 403 403'),
  MS4: row('message', 'mark as read by the recipient', '401 404 404 403 - ok 404 404 404 404 ok same'),
  'MS4 own': row('message', 'mark as read by the caller', '401 404 404 ok - ok 404 404 404 404 ok same'),
  MS5: row('message', 'change', '401 404 404 400 - 400 404 404 404 404 400 400'),
  MS6: row('message', 'delete', '401 404 404 403 - 403 404 404 404 404 403 403'),
  MS7: row('message', 'unsend', '401 404 404 ok - 403 404 404 404 404 403 403'),
  MX1: row('message', 'react to', '401 404 404 ok - ok 404 404 404 404 404 404'),
  SH1: row("group's post", 'list people to share it with', '401 404 404 ok ok - ok 404 ok 404 404 404'),

  GR1: row('group', 'list, search, read its summary', '401 ok ok - - - ok ok ok ok ok ok'),
  GR2: row('group', 'create', '401 ok ok - - - ok ok ok ok ok ok'),
  'GR2 as another': row('group', 'create for another', '401 403 403 - - - 403 403 403 403 403 403'),
  GR3: row('group', 'change', '401 403 403 - - - 403 403 ok 403 403 403'),
  GR4: row('group', 'write its member count', '401 same same - - - same same same same same same'),
  GR5: row('group', 'write its admin', '401 403 403 - - - 403 403 400 403 403 403'),
  GR6: row('group', 'delete', '401 403 403 - - - 403 403 ok 403 403 403'),
  GR7: row('group', 'hand over', '401 403 403 - - - 403 403 ok 403 403 403'),

  GM1: row('membership', 'list, check', '401 E E ok - - ok E ok E E E'),
  GM2: row('membership', 'read', '401 404 404 ok - - ok 404 ok 404 404 404'),
  GM3: row('membership', 'create, for oneself or another', '401 403 403 403 - - 403 403 403 403 403 403'),
  GM4: row('membership', 'change its role', '401 404 404 403 - - 403 404 403 404 404 404'),
  GM5: row('membership', 'end', '401 404 404 ok - - 403 404 ok 404 404 404'),
  "GM5 admin's": row('membership', "end the admin's", '401 404 404 403 - - 403 404 409 404 403 403'),

  GQ1: row('request to join', 'list', '401 E E ok - - E E ok E E E'),
  GQ2: row('request to join', 'read', '401 404 404 ok - - 404 404 ok 404 404 404'),
  GQ3: row('request to join', 'create', '401 ok ok 409 - - 409 ok 409 ok 409 409'),
  'GQ3 as another': row(
    'request to join',
    'create for another',
    '401 403 403 403 - - 403 403 403 403 403 403',
  ),
  GQ4: row('request to join', 'approve', '401 403 403 403 - - 403 403 ok 403 403 403'),
  GQ5: row('request to join', 'reject', '401 403 403 403 - - 403 403 ok 403 403 403'),
  GQ6: row('request to join', 'make pending again', '401 404 404 400 - - 404 404 400 404 404 404'),
  GQ7: row('request to join', 'withdraw', '401 404 404 ok - - 404 404 403 404 404 404'),

  FI1: row('picture', 'upload', '401 ok ok ok - - ok ok ok ok ok ok'),
  FI2: row('unfinished upload', 'continue', '401 404 404 ok - - 404 404 404 404 404 404'),
  FI3: row('picture', 'list own uploads', '401 E E ok - - E E E E E E'),
  FI4: row('picture of a public post', 'see', '401 ok ok ok - - ok ok ok ok 404 404'),
  FI5: row("picture of a group's post", 'see', '401 404 404 ok ok - ok 404 ok 404 404 404'),
  FI6: row("member's photo", 'see', '401 ok ok ok - - ok ok ok ok 404 404'),
  FI7: row("group's picture", 'see', '401 ok ok - - - ok ok ok ok ok ok'),
  FI8: row('picture not attached to anything', 'see', '401 404 404 ok - - 404 404 404 404 404 404'),
  CP1: row("message's picture", 'see', '401 404 404 ok - ok 404 404 404 404 ok ok'),
  FI9: row('picture not attached to anything', 'rename', '401 404 404 ok - - 404 404 404 404 404 404'),
  'FI9 readable': row('picture of a public post', 'rename', '401 403 403 ok - - 403 403 403 403 404 404'),
  FI10: row('picture not attached to anything', 'delete', '401 404 404 ok - - 404 404 404 404 404 404'),
  'FI10 in use': row('picture of a public post', 'delete', '401 404 404 409 - - 404 404 404 404 404 404'),
  FI11: row('initials', 'see', 'ok ok ok ok - - ok ok ok ok ok ok'),
  FI12: row('icon, QR code', 'see', '401 ok ok ok - - ok ok ok ok ok ok'),
  FI13: row('picture of another site', 'see', '401 ok ok ok - - ok ok ok ok ok ok'),

  RT2: row('message', 'receive changes', 'E E E ok - ok E E E E E E'),
  RT3: row('conversation', 'receive changes', 'E E E ok - ok E E E E E E'),
  'RT5 public': row('public post', 'receive changes', 'E ok ok ok - - ok ok ok ok E E'),
  'RT5 comment': row("comment under a group's post", 'receive changes', 'E E E ok ok - ok E ok E E E'),
  'RT5 group': row('post of a group', 'receive changes', 'E E E ok ok - ok E ok E E E'),
  'RT5 gone': row('post of a group', 'receive its deletion', 'E E E ok - - ok E ok E E E'),
  'RT5 summary': row('group', 'receive changes', 'E ok ok - - - ok ok ok ok ok ok'),
  'RT5 membership': row('membership', 'receive changes', 'E E E ok - - ok E ok E E E'),
  'RT5 request': row('request to join', 'receive changes', 'E E E ok - - E E ok E E E'),
  'RT5 follow': row('follow', 'receive changes', 'E ok - ok - - ok ok ok ok E E'),
  'RT5 picture': row('picture of a public post', 'receive changes', 'E E E ok - - E E E E E E'),
  'RT5 save': row("save of a group's post", 'receive changes', 'E E E ok - - E E E E E E'),
  BL1: row('block', 'list', '401 E E ok - E E E E E E E'),
  BL2: row('block', 'create', '401 ok ok 400 - ok ok ok ok ok ok ok'),
  BL3: row('block', 'change', '401 404 404 ok - 404 404 404 404 404 404 404'),
  'BL3 end': row('block', 'end', '401 same same ok - same same same same same same same'),
  BL4: row('block', 'preview its consequences', '401 ok ok 400 - ok ok ok ok ok 404 404'),
  BL5: row('block', 'as a document', '401 404 404 404 - 404 404 404 404 404 404 404'),

  PA1: row('post of a private account', 'list, search, by creator', '401 E ok ok - - E E E E E E E'),
  PA2: row('post of a private account', 'read', '401 404 ok ok - - 404 404 404 404 404 404 404'),
  PA3: row('post of a private account', 'like, unlike', '401 404 ok ok - - 404 404 404 404 404 404 404'),
  PA4: row('post of a private account', 'save', '401 404 ok ok - - 404 404 404 404 404 404 404'),
  PA5: row('picture of a post of a private account', 'see', '401 404 ok ok - - 404 404 404 404 404 404 404'),
  'RT5 private': row('post of a private account', 'receive changes', 'E E ok ok - - E E E E E E E'),
  PA6: row('follow of a private account', 'list, read', '401 E ok ok - - E E E E E E E'),
  FR1: row('follow request', 'list', '401 E E ok - - E E E E E E E'),
  FR2: row('follow request', 'approve', '401 404 404 ok - - 404 404 404 404 404 404 404'),
  FR3: row('follow request', 'decline', '401 404 404 ok - - 404 404 404 404 404 404 404'),
  FR4: row('follow request', 'create by following', '401 ok - 400 - - ok ok ok ok 404 404 same'),
  FR5: row(
    'follow request',
    'read as a document of follows',
    '401 404 404 404 - - 404 404 404 404 404 404 ok',
  ),
  FR6: row(
    'follow request',
    'end as a document of follows',
    '401 404 404 404 - - 404 404 404 404 404 404 ok',
  ),
  'FO4 remove': row(
    'follow of a private account',
    'end as the followed',
    '401 same same ok - - same same same same 404 404 same',
  ),
  PS1: row('privacy settings', 'read and change own', '401 ok ok ok - ok ok ok ok ok ok ok ok'),

  MU1: row('mute', 'list', '401 E E ok - E E E E E E E'),
  MU2: row('mute', 'create', '401 ok ok 400 - ok ok ok ok ok 404 404'),
  'MU2 end': row('mute', 'end', '401 same same ok - same same same same same same same'),
  MU3: row('mute', 'check whether one exists', '401 ok ok ok - ok ok ok ok ok 404 404'),
  MU4: row('mute', 'as a document', '401 404 404 404 - 404 404 404 404 404 404 404'),

  NO1: row('notification', 'list', '401 E E ok - E E E E E E E'),
  NO2: row('notification', 'mark as read', '401 same same ok - same same same same same same same'),
  NO3: row('notifications', 'count, and mark own as seen', '401 ok ok ok - ok ok ok ok ok ok ok'),
  NO4: row('notification preferences', 'read and change own', '401 ok ok ok - ok ok ok ok ok ok ok'),

  PF1: row('post preferences', 'change own', '401 ok ok ok - ok ok ok ok ok ok ok'),

  RE1: row('report', 'list', '401 E E ok - E E E E E E E'),
  RE2: row('report', 'create, about a member', '401 ok ok 400 - ok ok ok ok ok ok ok'),
  RE3: row('report', 'create, about a post of a group', '401 404 404 400 400 - ok 404 ok 404 ok ok'),
  RE4: row('report', 'create, about a message', '401 404 404 400 - ok 404 404 404 404 ok ok'),
  RE5: row('report', 'as a document, with its evidence', '401 404 404 404 - 404 404 404 404 404 404 404'),
  RE6: row(
    'report',
    "create, about a comment under a group's post",
    '401 404 404 400 400 - ok 404 ok 404 ok ok',
  ),
  MR1: row('message request', 'list', '401 E E ok - E E E E E E E'),
  MR2: row('message request', 'accept', '401 404 404 ok - 404 404 404 404 404 404 404'),
  MR3: row('message request', 'decline', '401 404 404 ok - 404 404 404 404 404 404 404'),
  MR4: row(
    'member who accepts no messages from new people',
    'open a conversation with',
    '401 403 403 400 - ok 403 403 403 403 404 404',
  ),
  RS1: row('restriction', 'list', '401 E E ok - E E E E E E E'),
  RS2: row('restriction', 'create', '401 ok ok 400 - ok ok ok ok ok 404 404'),
  'RS2 end': row('restriction', 'end', '401 same same ok - same same same same same same same'),
  RS3: row('restriction', 'check whether one exists', '401 ok ok ok - ok ok ok ok ok 404 404'),
  RS4: row('restriction', 'as a document', '401 404 404 404 - 404 404 404 404 404 404 404'),

  PH1: row('post hidden by a moderator', 'list, search, by creator', '401 E E ok - - E E E E E E E'),
  PH2: row(
    'post hidden by a moderator',
    'read, including its picture',
    '401 404 404 ok - - 404 404 404 404 404 404 404',
  ),
  PH3: row('post hidden by a moderator', 'change, move', '401 404 404 403 - - 404 404 404 404 404 404 404'),
  PH4: row('post hidden by a moderator', 'delete', '401 404 404 ok - - 404 404 404 404 404 404 404'),
  PH5: row('post hidden by a moderator', 'like, save', '401 404 404 ok - - 404 404 404 404 404 404 404'),
  GH1: row('group hidden by a moderator', 'list', '401 E E - - - ok E ok E ok ok E'),
  GH2: row('group hidden by a moderator', 'read its summary', '401 404 404 - - - ok 404 ok 404 ok ok 404'),
  GH3: row('group hidden by a moderator', 'ask to join', '401 404 404 - - - 409 404 409 404 409 409 404'),

  NM1: row("moderators' note", 'list', '401 E E ok - E E E E E E E E'),
  NM2: row("moderators' note", 'read', '401 404 404 ok - 404 404 404 404 404 404 404 404'),
  GD1: row(
    'case in the review queue of a group',
    'list, read, see its picture',
    '401 404 404 404 404 404 404 404 ok 404 404 404 404',
  ),
  GD2: row(
    'case in the review queue of a group',
    'decide, pass on',
    '401 404 404 404 404 404 404 404 ok 404 404 404 404',
  ),
  AP1: row('review of a decision', 'request', '401 404 404 ok - 404 404 404 404 404 404 404 404'),

  RT6: row('account', 'receive changes', 'E E E ok - - E E E E E E'),
} satisfies Record<string, PermissionMatrixRow>

export type PermissionMatrixRowId = keyof typeof permissionMatrix

export type PermissionMatrixSubject = (typeof permissionMatrix)[PermissionMatrixRowId]['on']

export const groupPermissionRowIds = (Object.keys(permissionMatrix) as PermissionMatrixRowId[]).filter((id) =>
  /group|membership|request/.test(permissionMatrix[id].on),
)
