/** The sections of administration in order. New ones add theirs here. */
import { House, ScrollText, UserRoundPlus, UsersRound } from 'lucide-react'
import { en } from '#contract/language.ts'
import type { ScreenSection } from '#web/layout/section-screen.tsx'
import { lazyScreen } from '#web/navigation/lazy-screen.tsx'

type AdminSection = ScreenSection & {
  /** One sentence for the index. */
  text: string
}

export const adminSections: readonly AdminSection[] = [
  {
    path: 'members',
    label: en('Members', 'Integrantes'),
    text: en(
      'Roles, suspensions, recovery links and signing out.',
      'Roles, suspensiones, enlaces de recuperación y cierre de sesiones.',
    ),
    icon: UsersRound,
    screen: lazyScreen(() => import('./members-section.tsx'), 'MembersSection'),
    pages: [
      {
        path: 'members/:memberId',
        title: en('Member', 'Integrante'),
        screen: lazyScreen(() => import('./member-page.tsx'), 'MemberPage'),
      },
    ],
  },
  {
    path: 'community',
    label: en('Community', 'Comunidad'),
    text: en(
      'Name, who can join, house rules and contact.',
      'Nombre, quién puede unirse, normas de la casa y contacto.',
    ),
    icon: House,
    screen: lazyScreen(
      () => import('../community/community-settings-section.tsx'),
      'CommunitySettingsSection',
    ),
  },
  {
    path: 'applications',
    label: en('Sign-ups', 'Solicitudes'),
    text: en(
      'People who want to join and wait for a decision.',
      'Quienes quieren unirse y esperan una decisión.',
    ),
    icon: UserRoundPlus,
    screen: lazyScreen(() => import('../community/applications-section.tsx'), 'ApplicationsSection'),
  },
  {
    path: 'log',
    label: en('Operator log', 'Registro'),
    text: en('Everything that operators have done.', 'Todo lo que han hecho las operadoras.'),
    icon: ScrollText,
    screen: lazyScreen(() => import('./operator-acts-section.tsx'), 'OperatorActsSection'),
  },
]
