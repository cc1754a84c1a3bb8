import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

import type { BrowserOptions } from './browser';
import { openWindow } from './browser';
import { OWNER } from './client';

/** n8n's editor in a browser, used as a person uses it. */
export class EditorPage {
	private constructor(
		readonly page: Page,
		private readonly window: BrowserContext,
		private readonly url: string,
	) {}

	/** Signs in. */
	static async open(browser: Browser, url: string, options?: BrowserOptions): Promise<EditorPage> {
		const window = await openWindow(browser, options);
		const page = await window.newPage();
		await page.goto(`${url}/signin`);
		await page.locator('input[name=emailOrLdapLoginId]').fill(OWNER.email);
		await page.locator('input[name=password]').fill(OWNER.password);
		await page.getByTestId('form-submit-button').click();
		await page.waitForURL(/home|workflow/);
		return new EditorPage(page, window, url);
	}

	async close(): Promise<void> {
		await this.window.close();
	}

	async newWorkflow(): Promise<void> {
		await this.page.goto(`${this.url}/workflow/new`);
		await this.page.getByTestId('canvas-plus-button').waitFor();
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** Types into the search of the panel of nodes; the panel has to be open. */
	async searchNodes(text: string): Promise<Locator> {
		await this.page.getByTestId('node-creator-search-bar').fill(text);
		return this.page.getByTestId('item-iterator-item');
	}

	/** Opens the panel of nodes on an empty canvas. */
	async openNodeCreator(): Promise<void> {
		await this.page.getByTestId('canvas-plus-button').click();
		await this.page.getByTestId('node-creator-search-bar').waitFor();
	}

	/** Shows the actions of the node, starting from an empty canvas. */
	async showActions(): Promise<Locator> {
		await this.openNodeCreator();
		const found = await this.searchNodes('cometchat');
		await found.filter({ hasText: 'CometChat' }).first().click();
		// An empty canvas wants a trigger first, so n8n folds the actions up
		await this.page.getByText(/^Actions \(\d+\)$/).click();
		const actions = this.page.getByTestId('item-iterator-item');
		await actions.filter({ hasText: 'Get a message' }).waitFor();
		return actions;
	}

	/** Puts an action of the node on the canvas, as one finds it; its panel opens. */
	async addAction(action: string): Promise<void> {
		const actions = await this.showActions();
		await actions.filter({ has: this.page.getByText(action, { exact: true }) }).click();
		await this.ndv.waitFor();
	}

	/** Opens the panel of a node of the canvas. */
	async openNode(name: string): Promise<void> {
		await this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
		await this.ndv.waitFor();
	}

	/** Id of the open workflow. */
	get workflowId(): string {
		return /workflow\/([^/?]+)/.exec(this.page.url())?.[1] ?? '';
	}

	/** The panel of the open node. */
	get ndv(): Locator {
		return this.page.getByTestId('ndv');
	}

	get output(): Locator {
		return this.page.getByTestId('output-panel');
	}

	/** A field of the open node by its name. */
	field(name: string): Locator {
		return this.page.getByTestId(`parameter-input-${name}`);
	}

	async fill(name: string, value: string): Promise<void> {
		const input = this.field(name).locator('input, textarea').first();
		await input.fill(value);
		await input.blur();
	}

	/** Picks an entry of the drop-down list that is open. */
	async pick(entry: string): Promise<void> {
		await this.page
			.locator('.el-select-dropdown__item:visible')
			.filter({ hasText: new RegExp(`^\\s*${entry}`) })
			.first()
			.click();
	}

	/** Picks an entry of a field that is a drop-down list. */
	async choose(name: string, entry: string): Promise<void> {
		await this.field(name).locator('input').first().click();
		await this.pick(entry);
	}

	/** Adds an entry to a collection by the text of its button, e.g. "Add Filter". */
	async addTo(button: string, entry: string): Promise<void> {
		await this.ndv
			.getByTestId('collection-parameter-add')
			.filter({ has: this.page.locator(`input[placeholder="${button}"]`) })
			.locator('input')
			.click();
		await this.pick(entry);
	}

	/** Labels of the fields that the open node shows, from top to bottom. */
	async labels(): Promise<string[]> {
		const texts = await this.ndv
			.getByTestId('node-parameters')
			.getByTestId('input-label')
			.filter({ visible: true })
			.allInnerTexts();
		return texts.map((text) => text.split('\n')[0].trim()).filter((text) => text !== '');
	}

	/** Runs the open node and waits for what comes out. */
	async execute(): Promise<void> {
		await this.page.getByTestId('node-execute-button').click();
		await this.output
			.locator(
				'[data-test-id="ndv-items-count"], [data-test-id="node-error-message"], [data-test-id="ndv-data-container"]',
			)
			.first()
			.waitFor();
	}

	/** The table of the output panel: its columns, and the texts of its rows. */
	async table(): Promise<{ columns: string[]; rows: string[][] }> {
		const table = this.output.locator('table');
		await table.locator('tbody tr').first().waitFor();
		const columns = (await table.locator('thead th').allInnerTexts()).filter(Boolean);
		const rows: string[][] = [];
		for (const row of await table.locator('tbody tr').all()) {
			const cells = await row.locator('td').allInnerTexts();
			rows.push(cells.slice(0, columns.length).map((cell) => cell.trim()));
		}
		return { columns, rows };
	}

	/** Picks a saved credential for the open node. */
	async chooseCredential(name: string): Promise<void> {
		await this.page.getByTestId('node-credentials-select').first().click();
		await this.page
			.locator('.el-select-dropdown__item:visible')
			.filter({ has: this.page.getByText(name, { exact: true }) })
			.click();
	}

	async closeNode(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.ndv.waitFor({ state: 'hidden' });
	}
}
