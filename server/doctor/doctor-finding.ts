export type DoctorVerdict = 'ok' | 'warning' | 'failure'
export type DoctorFinding = { verdict: DoctorVerdict; sentence: string }

export const ok = (sentence: string): DoctorFinding => ({ verdict: 'ok', sentence })
export const warning = (sentence: string): DoctorFinding => ({ verdict: 'warning', sentence })
export const failure = (sentence: string): DoctorFinding => ({ verdict: 'failure', sentence })

export const answerTimeoutMs = 5000
