/** Reports: every path of the matrix to them. */
import {
  appealDecisionOperation,
  listModerationNoticesOperation,
  readModerationNoticeOperation,
} from '#contract/moderation/appeals.ts'
import {
  decideGroupReportOperation,
  getGroupReportOperation,
  getGroupReportPictureOperation,
  listGroupReportsOperation,
} from '#contract/moderation/group-reports.ts'
import { createReportOperation, listMyReportsOperation } from '#contract/moderation/reports.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents.ts'
import {
  type AccessAttempt,
  checkResponseMentions,
  defineReadAttempts,
  defineWriteAttempts,
  toMatrixOutcome,
} from './attempt.ts'

const reason = 'harassment'

export const reportAccessAttempts: AccessAttempt[] = [
  ...defineReadAttempts('NM1', {
    listModerationNotices: async (who, { cast }) =>
      checkResponseMentions(await who.ask(listModerationNoticesOperation, {}), cast.warning),
  }),
  ...defineWriteAttempts('AP1', {
    appealDecision: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(appealDecisionOperation, { caseId: cast.warningCase, text: 'No' })),
  }),
  ...defineWriteAttempts('NM2', {
    readModerationNotice: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(readModerationNoticeOperation, { noticeId: cast.warning })),
  }),
  ...defineReadAttempts('GD1', {
    listGroupReports: async (who, { cast }) =>
      checkResponseMentions(
        await who.ask(listGroupReportsOperation, { groupId: cast.knit }),
        cast.groupCases.shown,
      ),
    getGroupReport: async (who, { cast }) =>
      toMatrixOutcome(
        await who.ask(getGroupReportOperation, { groupId: cast.knit, caseId: cast.groupCases.shown }),
      ),
    getGroupReportPicture: async (who, { cast }) =>
      toMatrixOutcome(
        await who.ask(getGroupReportPictureOperation, {
          ...{ groupId: cast.knit, caseId: cast.groupCases.shown, place: '1-0' },
        }),
      ),
  }),
  ...defineWriteAttempts('GD2', {
    decideGroupReport: async (who, { cast }) =>
      toMatrixOutcome(
        await who.ask(decideGroupReportOperation, {
          ...{ groupId: cast.knit, caseId: cast.groupCases.dismissed, decision: 'dismiss' },
        }),
      ),
    'pass on': async (who, { cast }) =>
      toMatrixOutcome(
        await who.ask(decideGroupReportOperation, {
          ...{ groupId: cast.knit, caseId: cast.groupCases.passedOn, decision: 'pass-on' },
        }),
      ),
  }),
  ...defineReadAttempts('RE1', {
    listMyReports: async (who, { cast }) =>
      checkResponseMentions(await who.ask(listMyReportsOperation, { limit: 100 }), cast.report),
  }),
  ...defineReadAttempts('RE5', {
    'document list': async (who) =>
      toMatrixOutcome(await createAppwriteDocumentsClient(who, 'reports').list()),
    document: async (who, { cast }) =>
      toMatrixOutcome(await createAppwriteDocumentsClient(who, 'evidence').get(cast.report)),
  }),
  ...defineWriteAttempts('RE2', {
    createReport: async (who, { cast }) =>
      toMatrixOutcome(
        await who.ask(createReportOperation, { subject: { kind: 'member', id: cast.ana.id }, reason }),
      ),
  }),
  ...defineWriteAttempts('RE3', {
    createReport: async (who, { cast, column }) =>
      toMatrixOutcome(
        await who.ask(createReportOperation, {
          subject: { kind: 'post', id: column === 'L' ? cast.left.$id : cast.kept.$id },
          reason,
        }),
      ),
  }),
  ...defineWriteAttempts('RE6', {
    createReport: async (who, { cast, column }) =>
      toMatrixOutcome(
        await who.ask(createReportOperation, {
          subject: { kind: 'comment', id: cast.comments[column === 'L' ? 'left' : 'kept'].$id },
          reason,
        }),
      ),
  }),
  ...defineWriteAttempts('RE4', {
    createReport: async (who, { cast }) =>
      toMatrixOutcome(
        await who.ask(createReportOperation, {
          subject: { kind: 'message', id: cast.talkOf(who).message.$id },
          reason,
        }),
      ),
  }),
]
