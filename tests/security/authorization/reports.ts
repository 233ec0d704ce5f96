import {
  decideGroupCaseOperation,
  getGroupCaseOperation,
  getGroupCasePictureOperation,
  listGroupCasesOperation,
} from '#contract/moderation/group-cases.ts'
import {
  appealDecisionOperation,
  listModerationNoticesOperation,
  markModerationNoticeReadOperation,
} from '#contract/moderation/moderation-notices-and-appeals.ts'
import { createReportOperation, listMyReportsOperation } from '#contract/moderation/reports.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import {
  type AccessAttempt,
  checkResponseMentions,
  defineReadAttempts,
  defineWriteAttempts,
  toMatrixOutcome,
} from './access-attempt.ts'

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
    markModerationNoticeRead: async (who, { cast }) =>
      toMatrixOutcome(await who.ask(markModerationNoticeReadOperation, { noticeId: cast.warning })),
  }),
  ...defineReadAttempts('GD1', {
    listGroupCases: async (who, { cast }) =>
      checkResponseMentions(
        await who.ask(listGroupCasesOperation, { groupId: cast.knit }),
        cast.groupCases.shown,
      ),
    getGroupCase: async (who, { cast }) =>
      toMatrixOutcome(
        await who.ask(getGroupCaseOperation, { groupId: cast.knit, caseId: cast.groupCases.shown }),
      ),
    getGroupCasePicture: async (who, { cast }) =>
      toMatrixOutcome(
        await who.ask(getGroupCasePictureOperation, {
          ...{ groupId: cast.knit, caseId: cast.groupCases.shown, place: '1-0' },
        }),
      ),
  }),
  ...defineWriteAttempts('GD2', {
    decideGroupCase: async (who, { cast }) =>
      toMatrixOutcome(
        await who.ask(decideGroupCaseOperation, {
          ...{ groupId: cast.knit, caseId: cast.groupCases.dismissed, decision: 'dismiss' },
        }),
      ),
    'pass on': async (who, { cast }) =>
      toMatrixOutcome(
        await who.ask(decideGroupCaseOperation, {
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
          subject: { kind: 'message', id: cast.conversationBetween(who).message.$id },
          reason,
        }),
      ),
  }),
]
