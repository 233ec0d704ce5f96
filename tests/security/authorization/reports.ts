/** Reports: every path of the matrix to them. */
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
