import type { ChildProcess } from "node:child_process";

export function stopTree(child: ChildProcess): Promise<void>;
export function endWithParent(callback: () => void): void;
export function descendants(pid: number): number[];
export function isAlive(pid: number): boolean;
