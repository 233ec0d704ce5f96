/** The order is that on the screen. Add every new section here. */
import {
  Gavel,
  HardDrive,
  House,
  Mail,
  Palette,
  ScrollText,
  Server as ServerIcon,
  UserRoundPlus,
  UsersRound,
} from 'lucide-react'
import { en } from '#contract/language.ts'
import type { ScreenSection } from '#web/layout/sections-screen.tsx'
import { lazyScreen } from '#web/navigation/lazy-screen.tsx'

type AdminSection = ScreenSection & {
  text: string
}

export const adminSections: readonly AdminSection[] = [
  {
    path: 'members',
    label: en('Members', 'Integrantes'),
    text: en(
      'Roles, suspensions, recovery links and logging out.',
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
    path: 'suspensions',
    label: en('Proposed suspensions', 'Suspensiones propuestas'),
    text: en(
      'Moderators and operators are suspended only if a second person confirms.',
      'Para suspender a moderadoras y operadoras confirma una segunda persona.',
    ),
    icon: Gavel,
    screen: lazyScreen(() => import('./suspension-proposals-section.tsx'), 'SuspensionProposalsSection'),
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
    label: en('Applications', 'Solicitudes'),
    text: en(
      'People who want to join and wait for a decision.',
      'Quienes quieren unirse y esperan una decisión.',
    ),
    icon: UserRoundPlus,
    screen: lazyScreen(() => import('../community/applications-section.tsx'), 'ApplicationsSection'),
  },
  {
    path: 'appearance',
    label: en('Appearance', 'Aspecto'),
    text: en('Logo, colour and announcement.', 'Logotipo, color y anuncio.'),
    icon: Palette,
    screen: lazyScreen(() => import('../community/identity-section.tsx'), 'CommunityIdentitySection'),
  },
  {
    path: 'instance',
    label: en('Server', 'Servidor'),
    text: en(
      'Version, database, last backup and health checks.',
      'Versión, base de datos, última copia de seguridad y comprobaciones.',
    ),
    icon: ServerIcon,
    screen: lazyScreen(() => import('./instance-section.tsx'), 'InstanceSection'),
  },
  {
    path: 'storage',
    label: en('Storage', 'Espacio'),
    text: en('Sizes by kind, and the largest accounts.', 'Tamaños por tipo y las cuentas más grandes.'),
    icon: HardDrive,
    screen: lazyScreen(() => import('./storage-section.tsx'), 'StorageSection'),
  },
  {
    path: 'emails',
    label: en('Email and jobs', 'Correo y tareas'),
    text: en(
      'Waiting and failed emails, background jobs, and a test of the mail server.',
      'Correos en espera o fallidos, tareas en segundo plano y una prueba del servidor de correo.',
    ),
    icon: Mail,
    screen: lazyScreen(() => import('./emails-section.tsx'), 'EmailsSection'),
  },
  {
    path: 'log',
    label: en('Operator log', 'Registro'),
    text: en('Everything that operators have done.', 'Todo lo que han hecho las operadoras.'),
    icon: ScrollText,
    screen: lazyScreen(() => import('./operator-acts-section.tsx'), 'OperatorActsSection'),
  },
]
