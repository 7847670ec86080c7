import { Counter, Gauge, type Registry } from 'prom-client';
import type { Rooms } from './rooms.ts';

/** Registers metrics of the rooms of this process. They are collected when the metrics are read. */
export function showRooms(registry: Registry, { own, upgrades, counts }: Rooms): void {
  const registers = [registry];
  new Gauge({
    name: 'spaceport_rooms',
    help: 'Rooms that somebody is in.',
    registers,
    collect() {
      this.set(own.seen().rooms);
    },
  });
  new Gauge({
    name: 'spaceport_room_members',
    help: 'Members of rooms by state: here, or away for a moment.',
    labelNames: ['state'],
    registers,
    collect() {
      const { here, away } = own.seen();
      this.set({ state: 'here' }, here);
      this.set({ state: 'away' }, away);
    },
  });
  new Gauge({
    name: 'spaceport_room_piped_sockets',
    help: 'Sockets of members that are passed on to the process that has their room.',
    registers,
    collect() {
      this.set(upgrades.piped);
    },
  });
  new Counter({
    name: 'spaceport_room_messages_total',
    help: 'Messages in rooms by way: in from a member, or out to one.',
    labelNames: ['way'],
    registers,
    collect() {
      this.reset();
      this.inc({ way: 'in' }, counts.said);
      this.inc({ way: 'out' }, counts.delivered);
    },
  });
  new Counter({
    name: 'spaceport_room_endings_total',
    help: 'Sockets that rooms ended, by reason: slow are readers that were dropped.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of counts.endings) this.inc({ reason }, count);
    },
  });
  new Counter({
    name: 'spaceport_room_refusals_total',
    help: 'Joins that were refused, by reason.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of counts.refusals) this.inc({ reason }, count);
    },
  });
}
